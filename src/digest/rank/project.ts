import { parse as parseToml } from 'smol-toml';
import type { Candidate } from './candidate.ts';
import type { Pointer } from './signals/signal.ts';

/** What a project's own root documents say of it. */
export interface Project {
  /** Its names by its manifests and as a README's title, lower-cased, `-` as `_`: not by its address, which may be any. */
  readonly names: ReadonlySet<string>;
  readonly description: string | undefined;
  /** Paths that manifests and the README name, and that exist. */
  readonly pointers: ReadonlyMap<string, Pointer>;
}

/** The manifests that are read for names and pointers; others count by their place alone. */
const READ_MANIFESTS: ReadonlyMap<string, (text: string) => Claims> = new Map([
  ['package.json', packageJson],
  ['Cargo.toml', cargoToml],
  ['pyproject.toml', pyprojectToml],
  ['composer.json', composerJson],
  ['go.mod', goMod],
]);

/** What one manifest claims, before its paths are looked up. */
interface Claims {
  name?: string | undefined;
  description?: string | undefined;
  paths: { path: string; why: string }[];
}

/** Whether a file is worth reading for `describeProject`. */
export function isProjectDocument({ entry, folders, isReadme }: Candidate): boolean {
  return folders.length === 0 && (isReadme || READ_MANIFESTS.has(entry.path));
}

/**
 * Reads names, a description and pointers out of the root's manifests and README.
 * A document that can't be parsed says nothing.
 *
 * @param documents texts by path, for paths that `isProjectDocument` accepts
 * @param exists whether a path is a file of the source
 */
export function describeProject(
  documents: ReadonlyMap<string, string>,
  exists: (path: string) => boolean,
): Project {
  const names = new Set<string>();
  const pointers = new Map<string, Pointer>();
  let description: string | undefined;
  for (const [path, text] of documents) {
    const claimsOf = READ_MANIFESTS.get(path);
    if (claimsOf) {
      const claims = attempt(() => claimsOf(text)) ?? { paths: [] };
      if (claims.name) names.add(projectName(claims.name));
      description ??= claims.description?.trim() || undefined;
      for (const claim of claims.paths) {
        const found = resolve(claim.path, exists);
        if (found !== undefined && found !== path && !pointers.has(found))
          pointers.set(found, { from: 'manifest', why: `${claim.why} in ${path}` });
      }
    }
  }
  for (const [path, text] of documents) {
    if (READ_MANIFESTS.has(path)) continue;
    const title = titleOf(text);
    if (title !== undefined) names.add(projectName(title));
    for (const link of linksOf(text)) {
      const found = exists(link) ? link : readmeOf(link, exists);
      if (found !== undefined && found !== path && !pointers.has(found))
        pointers.set(found, { from: 'readme', why: `linked from ${path}` });
    }
  }
  return { names, description, pointers };
}

/** A project's name as folders spell it: without its scope or owner, `-` as `_`. */
export function projectName(name: string): string {
  return name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll('-', '_');
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function packageJson(text: string): Claims {
  const manifest = asRecord(JSON.parse(text));
  const paths: Claims['paths'] = [];
  const add = (why: string, value: unknown): void => {
    for (const path of stringsIn(value))
      if (/^\.{0,2}\/?[\w@]/.test(path)) paths.push({ path, why: `named as ${why}` });
  };
  for (const key of ['main', 'module', 'browser', 'bin', 'exports', 'types'] as const)
    add(key, manifest[key]);
  return { name: asString(manifest.name), description: asString(manifest.description), paths };
}

function composerJson(text: string): Claims {
  const manifest = asRecord(JSON.parse(text));
  const paths = stringsIn(manifest.bin).map((path) => ({ path, why: 'named as bin' }));
  return { name: asString(manifest.name), description: asString(manifest.description), paths };
}

function goMod(text: string): Claims {
  return { name: /^module\s+(\S+)/m.exec(text)?.[1], paths: [] };
}

function cargoToml(text: string): Claims {
  const manifest = asRecord(parseToml(text));
  const pkg = asRecord(manifest.package);
  const shared = asRecord(asRecord(manifest.workspace).package);
  const paths: Claims['paths'] = [];
  const lib = asString(asRecord(manifest.lib).path);
  if (lib) paths.push({ path: lib, why: 'named as [lib]' });
  for (const bin of asArray(manifest.bin)) {
    const path = asString(asRecord(bin).path);
    if (path) paths.push({ path, why: 'named as [[bin]]' });
  }
  if (pkg.name !== undefined) {
    for (const path of ['src/lib.rs', 'src/main.rs']) paths.push({ path, why: 'the default target' });
  }
  return {
    name: asString(pkg.name),
    description: asString(pkg.description) ?? asString(shared.description),
    paths,
  };
}

function pyprojectToml(text: string): Claims {
  const manifest = asRecord(parseToml(text));
  const project = asRecord(manifest.project);
  const poetry = asRecord(asRecord(manifest.tool).poetry);
  const paths: Claims['paths'] = [];
  for (const table of [project.scripts, project['gui-scripts'], poetry.scripts]) {
    for (const value of stringsIn(table)) {
      const module = value.split(':')[0]?.trim().replaceAll('.', '/');
      if (module)
        paths.push(
          { path: `${module}.py`, why: 'a script' },
          { path: `${module}/__init__.py`, why: 'a script' },
        );
    }
  }
  const name = asString(project.name) ?? asString(poetry.name);
  if (name) paths.push({ path: `${projectName(name)}/__init__.py`, why: 'the package' });
  return { name, description: asString(project.description) ?? asString(poetry.description), paths };
}

const BUILT = /^(dist|lib|build|out|esm|cjs|es)\//;
const SCRIPT_ENDINGS = ['.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs', '.cjs'];

/** A named path, or the source that it is built from. */
function resolve(path: string, exists: (path: string) => boolean): string | undefined {
  const plain = normalize(path);
  if (plain === undefined) return undefined;
  if (exists(plain)) return plain;
  if (exists(`src/${plain}`)) return `src/${plain}`;
  const stem = plain.replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
  for (const candidate of [stem, `${stem}/index`, stem.replace(BUILT, 'src/'), stem.replace(BUILT, '')]) {
    for (const ending of SCRIPT_ENDINGS) if (exists(candidate + ending)) return candidate + ending;
  }
  return undefined;
}

function readmeOf(folder: string, exists: (path: string) => boolean): string | undefined {
  const base = folder.endsWith('/') ? folder : `${folder}/`;
  for (const name of ['README.md', 'readme.md', 'index.md', 'README.rst', 'README']) {
    if (exists(base + name)) return base + name;
  }
  return undefined;
}

/** The first line that is a heading or underlined as one, where it is a single word, maybe with marks around it. */
const TITLE =
  /^(?:#+[ \t]+)?[*_`[ \t]*([\w.-]{2,60})[*_`\] \t#]*(?:\([^)\n]*\)[ \t]*)?(?:\n[=-]{3,}[ \t]*)?$/m;

/** The name that a README begins with, if it does. */
function titleOf(text: string): string | undefined {
  const start = text.slice(0, 2_000).trimStart();
  const found = TITLE.exec(start);
  return found?.index === 0 && /^#|\n[=-]/.test(found[0]) ? found[1] : undefined;
}

const LINK =
  /\]\([ \t]*<?([^)\s<>]+)>?|\b(?:href|src)[ \t]*=[ \t]*["']([^"'\n]+)["']|^[ \t]*\[[^\]\n]+\]:[ \t]*(\S+)|`[^`\n<>]*<([^`\s<>]+)>`_|^\.\. [^\n:]*:[ \t]+(\S+)/gm;

/** Relative paths that a README links to. At most the first 200,000 characters are looked at. */
function linksOf(text: string): string[] {
  const links: string[] = [];
  for (const match of text.slice(0, 200_000).matchAll(LINK)) {
    const raw = match.slice(1).find((path) => path !== undefined);
    if (raw === undefined || /^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(raw)) continue;
    const plain = normalize(attempt(() => decodeURI(raw.replace(/[?#].*$/, ''))) ?? raw);
    if (plain !== undefined) links.push(plain);
  }
  return links;
}

/** A relative path without `.` and `..`; nothing where it leaves the root or is empty. */
function normalize(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.replace(/^\/+/, '').split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.length > 0 ? parts.join('/') : undefined;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
