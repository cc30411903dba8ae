import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { git } from './repository.ts';

type Entry = readonly [mode: string, name: string | Buffer, id: string];

/** A bare repository whose objects are written by hand: git itself would refuse many of them. */
export class HostileRepository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    git('.', 'init', '-q', '--bare', '-b', 'main', this.folder);
    for (const key of ['uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant'])
      git(this.folder, 'config', key, 'true');
  }

  blob(content: string): string {
    return this.#write('blob', Buffer.from(content));
  }

  /** In git's order, which sorts folders as if they had a slash at their end. */
  tree(entries: readonly Entry[]): string {
    const sorted = entries
      .map(([mode, name, id]) => ({ mode, name: Buffer.from(name as string), id }))
      .sort((a, b) => Buffer.compare(sortKey(a), sortKey(b)));
    const parts = sorted.flatMap(({ mode, name, id }) => [
      Buffer.from(`${mode} `),
      name,
      Buffer.of(0),
      Buffer.from(id, 'hex'),
    ]);
    return this.#write('tree', Buffer.concat(parts));
  }

  /** A tree so many folders deep, all named `d`. */
  deepTree(depth: number, entries: readonly Entry[]): string {
    let tree = this.tree(entries);
    for (let level = 0; level < depth; level++) tree = this.tree([['40000', 'd', tree]]);
    return tree;
  }

  commit(branch: string, tree: string): void {
    git(
      this.folder,
      'update-ref',
      `refs/heads/${branch}`,
      git(this.folder, 'commit-tree', tree, '-m', 'A commit'),
    );
  }

  /** A commit with a README and a file of so many zero bytes. */
  async commitLargeFile(branch: string, size: number): Promise<void> {
    // As a pack, whose bytes are passed on as they are: a loose object would be compressed anew by every server.
    const settings = ['core.bigFileThreshold=1m', 'core.compression=1', 'fastimport.unpackLimit=1'];
    const config = settings.flatMap((setting) => ['-c', setting]);
    const run = spawn('git', ['-C', this.folder, ...config, 'fast-import', '--quiet'], {
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    const write = async (bytes: string | Buffer): Promise<void> => {
      if (!run.stdin.write(bytes)) await once(run.stdin, 'drain');
    };
    const zeros = Buffer.alloc(4 * 1024 * 1024);
    await write(`blob\nmark :1\ndata ${size}\n`);
    for (let left = size; left > 0; left -= zeros.length) await write(zeros.subarray(0, left));
    await write('\nblob\nmark :2\ndata 6\nhello\n\n');
    await write(`commit refs/heads/${branch}\ncommitter A <a@example.com> 1700000000 +0000\ndata 1\nx\n`);
    await write('M 100644 :1 huge.txt\nM 100644 :2 README.md\n\n');
    run.stdin.end();
    await once(run, 'close');
  }

  #write(kind: string, content: Buffer): string {
    const object = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
    const id = createHash('sha1').update(object).digest('hex');
    const folder = join(this.folder, 'objects', id.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, id.slice(2)), deflateSync(object));
    return id;
  }
}

function sortKey({ mode, name }: { mode: string; name: Buffer }): Buffer {
  return mode === '40000' ? Buffer.concat([name, Buffer.from('/')]) : name;
}

/** Names that try to lead out of the place where files are written, to stand for a device, or to steer a terminal. */
export const HOSTILE_NAMES: readonly (string | Buffer)[] = [
  '../x',
  '/etc/passwd',
  '..\\..\\x',
  'C:\\x',
  'C:',
  'CON',
  'aux',
  'NUL.txt',
  '.GIT',
  'GIT~1',
  '.git ',
  '-rf',
  '--output=x',
  '$(touch owned)',
  '`touch owned`',
  'a\x1b[31mred',
  'title\x1b]0;owned\x07',
  'line\nbreak',
  'tab\there',
  'bell\x07',
  '\u202ertl',
  ' leading',
  'trailing ',
  '| |',
  '<script>',
  'x'.repeat(5000),
  Buffer.from('\xff\xfe', 'latin1'),
];

/** A commit of hostile names, links, settings and depths on `main`. */
export function commitHostileNames(repository: HostileRepository): void {
  const hello = repository.blob('hello\n');
  const folder = (name: string): string => repository.tree([['100644', name, hello]]);
  repository.commit(
    'main',
    repository.tree([
      ...HOSTILE_NAMES.map((name): Entry => ['100644', name, hello]),
      ['100644', 'README.md', repository.blob('# Hostile\n')],
      ['100644', 'escape.txt', repository.blob('a\x1b]0;owned\x07\x1b[2Jb\n')],
      [
        '100644',
        '.gitattributes',
        repository.blob(
          '* filter=evil diff=evil merge=evil text eol=crlf ident working-tree-encoding=UTF-16\n',
        ),
      ],
      [
        '100644',
        '.gitmodules',
        repository.blob('[submodule "sub"]\n\tpath = sub\n\turl = ext::sh -c touch% owned\n'),
      ],
      ['100644', '.gitconfig', repository.blob('[core]\n\tfsmonitor = touch owned\n')],
      ['120000', 'root-link', repository.blob('/')],
      ['120000', 'up-link', repository.blob('../../../../etc/passwd')],
      ['160000', 'sub', hello],
      ['40000', '..', folder('up')],
      ['40000', '.', folder('here')],
      ['40000', '.git', folder('config')],
      ['40000', 'd', repository.deepTree(5000, [['100644', 'deep.txt', hello]])],
    ]),
  );
}

/** A commit of 200,001 files on `wide`. */
export function commitManyFiles(repository: HostileRepository): void {
  const hello = repository.blob('hello\n');
  const files = Array.from({ length: 1000 }, (_, i): Entry => ['100644', `f${i}.txt`, hello]);
  const folder = repository.tree(files);
  const folders = Array.from({ length: 200 }, (_, i): Entry => ['40000', `d${i}`, folder]);
  repository.commit('wide', repository.tree([...folders, ['100644', 'README.md', hello]]));
}
