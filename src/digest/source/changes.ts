import { devNull } from 'node:os';
import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import type { Change, Changes, Warning } from '../types.ts';
import { type GitRun, listGit, recordsOf, type Setting, startGit } from './git-command.ts';
import { decodeName, isRawName } from './names.ts';
import { throwIfAborted } from './pace.ts';

export interface ChangesOptions {
  /** The folder asked for, in which git runs; paths are relative to it, and what lies beside it doesn't count. */
  readonly root: string;
  /** The earlier commit, as the user named it, and its full id. */
  readonly ref: string;
  readonly commit: string;
  /** The later commit's full id; without it, it is the work tree. */
  readonly to: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Range = readonly [first: number, last: number];

/** However git is configured, the same form; no program of the repository's choice, nothing run in its submodules. */
const FORM = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--relative',
  '--ignore-submodules=dirty',
  '--submodule=short',
  `-O${devNull}`,
];
const PATCH = [
  '--patch',
  '--unified=0',
  '--inter-hunk-context=0',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--diff-filter=M',
];
const ASCII_NAMES: Setting = ['core.quotePath', 'true'];
const LINE_END = 10;

/**
 * What changed in what git tracks: which files, and which lines of those that were modified. A file that was renamed is
 * one that is gone and one that is new.
 *
 * @throws PlimsollError `GIT_FAILED`, `ABORTED`
 */
export async function readChanges(options: ChangesOptions): Promise<Changes> {
  const { root, ref, commit, to, signal } = options;
  const settings = [ASCII_NAMES, ...(to === undefined ? await unfiltered(options) : [])];
  const between = [commit, ...(to === undefined ? [] : [to]), '--'];
  const patch = startGit(root, ['diff', ...FORM, ...PATCH, ...between], { settings, signal });
  const [named, lines, patched] = await Promise.all([
    listGit(root, ['diff', ...FORM, '--name-status', '-z', ...between], { settings, signal }),
    readLines(patch),
    patch.exit,
  ]);
  throwIfAborted(signal);
  if (named.code !== 0) throw failed(ref, named.stderr);
  const files = new Map<string, Change>();
  for (let at = 0; at + 1 < named.records.length; at += 2) {
    const [status, path] = named.records.slice(at, at + 2) as [string, string];
    const kind = KINDS.get(status) ?? 'modified';
    const own = kind === 'modified' ? lines.get(path) : undefined;
    files.set(path, { kind, ...(own && { lines: own }) });
  }
  return { ref, commit, files, warnings: patched.code === 0 ? [] : [linesUnknown(patched.stderr)] };
}

const KINDS: ReadonlyMap<string, Change['kind']> = new Map([
  ['A', 'added'],
  ['D', 'deleted'],
]);

function linesUnknown(stderr: string): Warning {
  const cause = visibleName(stderr.trim());
  return {
    code: 'LINES_UNKNOWN',
    message: `git could not tell which lines changed of every file: ${cause}.`,
  };
}

/** Git passes a work tree's files through programs of the repository's choice: it is told of none. */
async function unfiltered({ root, ref, signal }: ChangesOptions): Promise<Setting[]> {
  const pattern = '^filter\\..*\\.(clean|smudge|process|required)$';
  const args = ['config', '-z', '--name-only', '--get-regexp', pattern];
  const { records, code, stderr } = await listGit(root, args, { signal });
  throwIfAborted(signal);
  if (code !== 0 && code !== NONE_FOUND) throw failed(ref, stderr);
  const names = [...new Set(records)];
  // The environment can't name it.
  if (names.some(isRawName)) throw failed(ref, "a filter's name in its configuration is not UTF-8");
  return names.map((name) => [name, name.endsWith('.required') ? 'false' : '']);
}

const NONE_FOUND = 1;

function failed(ref: string, cause: string): PlimsollError {
  const what = `git can't tell what changed since ${visibleName(ref)}`;
  return new PlimsollError('GIT_FAILED', `${what}: ${visibleName(cause.trim())}.`);
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const FILE = '+++ ';

/** The new lines in a patch without context, by file. */
async function readLines({ stdout }: GitRun): Promise<Map<string, Range[]>> {
  const files = new Map<string, Range[]>();
  let ranges: Range[] = [];
  // Lines of a hunk may look like anything, headings included.
  let inside = 0;
  for await (const records of recordsOf(stdout, LINE_END)) {
    for (const line of records) {
      if (line.startsWith('\\')) continue;
      if (inside > 0) {
        inside--;
        continue;
      }
      const [hunk, removed, start, added] = HUNK.exec(line) ?? [];
      if (hunk !== undefined) {
        const [first, count] = [Number(start), Number(added ?? 1)];
        inside = Number(removed ?? 1) + count;
        ranges.push(count > 0 ? [first, first + count - 1] : [Math.max(1, first), first + 1]);
      } else if (line.startsWith(FILE)) {
        ranges = [];
        files.set(nameIn(line.slice(FILE.length)), ranges);
      }
    }
  }
  return files;
}

const ESCAPES: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
]);

/** The path that a patch names as `b/path`, or in quotes, as C would write it; a tab ends one with spaces. */
function nameIn(text: string): string {
  const name = text.endsWith('\t') ? text.slice(0, -1) : text;
  if (!name.startsWith('"')) return name.slice('b/'.length);
  const bytes = [...name.slice('"b/'.length, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\])/g)].map(
    ([, octal, escaped, plain]) =>
      octal !== undefined
        ? Number.parseInt(octal, 8)
        : (ESCAPES.get(escaped ?? '') ?? ((escaped ?? plain) as string).charCodeAt(0)),
  );
  return decodeName(Buffer.from(bytes));
}
