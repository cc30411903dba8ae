import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Files, folderWith, git } from './repository.ts';

const SUBMODULE_COMMIT = '0123456789abcdef0123456789abcdef01234567';

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 1234567\n`;

const MODULES = '[submodule "m"]\n\tpath = lib/module\n\turl = https://example.com/m.git\n';

const ATTRIBUTES = `*.bin filter=lfs diff=lfs merge=lfs -text
gen/** linguist-generated
third/** linguist-vendored
docs/guide.md linguist-documentation=false
*.up filter=shout
wide.txt working-tree-encoding=UTF-16LE
`;

const LINES = Array.from(
  { length: 60_000 },
  (_, at) => `export const value${at} = ${at * at}; // a line of many\n`,
);

const FILES: Files = {
  'README.md': '# Varied\n\nSee [the guide](docs/guide.md) and `src/main.ts`.\n',
  'package.json': '{ "name": "varied", "main": "src/main.ts" }\n',
  '.gitattributes': ATTRIBUTES,
  '.ignore': '*.tmp\n/ignored/\n',
  'notes.tmp': 'left out by .ignore\n',
  'ignored/a.txt': 'left out by .ignore\n',
  'docs/guide.md': '# Guide\n\nHow to.\n',
  'src/main.ts': "import { deep } from './a/b/c/deep.ts';\nexport const main = () => deep;\n",
  'src/a/b/c/deep.ts': 'export const deep = 1;\n',
  'src/a/.gitattributes': '*.snap linguist-generated\n',
  'src/a/x.snap': 'generated\n',
  'src/large.ts': LINES.join(''),
  'gen/out.ts': 'export const generated = true;\n',
  'third/lib.js': 'var lib = 1;\n',
  'loud.up': 'as it is stored\n',
  'wide.txt': 'as it is stored\n',
  'utf16.txt': Buffer.from('\ufeffWritten in UTF-16, with é\n', 'utf16le'),
  'latin1.txt': Buffer.from('caf\xe9 cr\xe8me na\xefve\n', 'latin1'),
  'crlf.txt': 'one\r\ntwo\r\n',
  'empty.txt': '',
  'image.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 255]),
  'weights.bin': POINTER,
  'with space/a b.txt': 'spaces\n',
  '"quoted" \'name\'.txt': 'quotes\n',
  'new\nline.txt': 'a newline\n',
  'back\\slash.txt': 'a backslash\n',
  'ünïcödé/日本.txt': 'not ASCII\n',
  '#?%20&.txt': 'what URLs are made of\n',
};

/**
 * Makes a bare repository on whose branch `main` is nearly everything that a commit can hold, whatever file system the
 * test runs on. `root` is the folder that it is in, one that is gone after the test unless another is given.
 */
export function variedRepository(root = folderWith({})): { readonly root: string; readonly path: string } {
  const path = emptyRepository(root, 'varied.git');
  importInto(path, [
    ...commit('main', { 'README.md': '# Before\n', 'gone.txt': 'gone\n' }),
    ...commit('main', FILES),
    ...entry('100755', 'bin/run.sh', '#!/bin/sh\necho run\n'),
    ...entry('120000', 'link', 'docs/guide.md'),
    ...entry('120000', 'outside', '/etc/passwd'),
    ...entry('100644', Buffer.from('caf\xe9.txt', 'latin1'), 'a name that is not UTF-8\n'),
    ...entry('100644', '.gitmodules', MODULES),
    `M 160000 ${SUBMODULE_COMMIT} lib/module\n`,
    'D gone.txt\n',
  ]);
  return { root, path };
}

/** Makes a bare repository with these files in one commit on its branch `main`, and gives where. */
export function bareRepository(files: Files): string {
  const path = emptyRepository(folderWith({}), 'bare.git');
  importInto(path, commit('main', files));
  return path;
}

function emptyRepository(root: string, name: string): string {
  const path = join(root, name);
  git(root, 'init', '-q', '--bare', '-b', 'main', path);
  return path;
}

/** Adds a commit with some files to a branch, or begins one with it, and gives its id. */
export function addCommit(path: string, branch: string, files: Files): string {
  const ref = `refs/heads/${branch}`;
  const isNew = git(path, 'for-each-ref', ref) === '';
  importInto(path, commit(branch, files, isNew ? '' : `from ${ref}^0\n`));
  return git(path, 'rev-parse', ref);
}

function importInto(path: string, commands: readonly (string | Buffer)[]): void {
  const input = Buffer.concat(commands.map((command) => Buffer.from(command as string)));
  execFileSync('git', ['-C', path, 'fast-import', '--quiet'], { input });
}

/** A commit as git-fast-import(1) has it; more entries may follow. */
function commit(branch: string, files: Files, from = ''): (string | Buffer)[] {
  const head = `commit refs/heads/${branch}\ncommitter A <a@example.com> 1700000000 +0000\n`;
  const entries = Object.entries(files).flatMap(([path, content]) => entry('100644', path, content));
  return [head, 'data 8\nA commit\n', from, ...entries];
}

function entry(mode: string, path: string | Buffer, content: string | Buffer): (string | Buffer)[] {
  const octal = [...Buffer.from(path as string)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  const head = `M ${mode} inline "${octal.join('')}"\ndata ${Buffer.byteLength(content)}\n`;
  return [head, content, '\n'];
}
