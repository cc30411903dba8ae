import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import type { Digest, DigestOptions } from '../digest/digest.ts';
import { PlimsollError } from '../errors.ts';
import { parseBudget } from '../measure/budget.ts';
import { loadSettings } from '../settings/load.ts';
import { DIGEST_FORMATS, type DigestFormat, type DigestSettings } from '../settings/settings.ts';
import { currentFolder } from './current-folder.ts';
import { collect, parseSeconds } from './flags.ts';
import { interruptible } from './interrupt.ts';
import { checkOutput, writeOutput, writeStdout } from './output.ts';
import { progressLine } from './progress.ts';
import { warn } from './warn.ts';

interface Flags extends Partial<Omit<DigestSettings, 'redact' | 'graph'>> {
  readonly redact: boolean;
  readonly graph: boolean;
  readonly cache: boolean;
  readonly ref?: string;
  readonly since?: string;
  readonly focus?: string;
  readonly focusPath?: readonly string[];
  readonly output?: string;
  readonly explain?: boolean;
  readonly quiet?: boolean;
}

const HELP = `
Settings, strongest first: these options; the environment (PLIMSOLL_DIGEST_BUDGET and
others, GITHUB_TOKEN for GitHub); .env and plimsoll.config.json, found upwards from the
current folder. See docs/digest.md.

Examples:
  plimsoll digest .
  plimsoll digest ../project --budget 10000tok --output digest.md
  plimsoll digest astral-sh/uv
  plimsoll digest https://github.com/vitejs/vite/tree/main/packages/vite
  plimsoll digest git@gitlab.com:group/project.git --ref v1.0
  plimsoll digest . --ref v1.0 --include 'src/**' --exclude '**/*.test.ts'
  plimsoll digest . --since main
  plimsoll digest . --focus-path src/cache --focus 'the cache is not cleared'
  plimsoll digest . --explain >/dev/null`;

/** Adds the arguments, options and action of `plimsoll digest`. */
export function defineDigest(command: Command): void {
  command
    .argument('<SOURCE>', 'a folder, OWNER/REPO on GitHub, or the address of any git repository')
    .option(
      '-b, --budget <N>',
      'the most the document may hold: characters (40000, the default) or tokens (10000tok)',
      parseBudget,
    )
    .option('-f, --format <FORMAT>', 'markdown (the default), xml or json', parseFormat)
    .option('--ref <REF>', 'a branch, tag or commit, instead of the work tree or the first branch')
    .option('--since <REF>', 'what changed since a commit comes first, then what that touches (a clone only)')
    .option('--include <GLOB>', 'only files that match (repeatable)', collect)
    .option('--exclude <GLOB>', 'no files that match (repeatable)', collect)
    .option('--focus <QUESTION>', 'what it is about: a task, an issue, an error; what answers it comes first')
    .option(
      '--focus-path <GLOB>',
      'a file or folder in hand: it comes first, then what has to do with it (repeatable)',
      collect,
    )
    .option('--history', 'prefer files that git changed often and lately (folders only)')
    .option('--no-graph', "don't read all source files to find out who imports whom")
    .option('--offline', 'of remote repositories, use only what is in the cache')
    .option('--no-cache', 'keep nothing of repositories and folders')
    .option('--timeout <SECONDS>', 'how long a host may be silent (30)', parseSeconds)
    .option('-o, --output <FILE>', 'write the document to a file instead of stdout')
    .option('--explain', 'report on stderr how the budget was spent and why each file was chosen')
    .option('--no-redact', 'show keys and passwords as they stand in the files')
    .option('-q, --quiet', 'no progress and no warnings')
    .addHelpText('after', HELP)
    .action(runDigest);
}

async function runDigest(path: string, flags: Flags): Promise<void> {
  // Grammars are large: optimising their code takes longer than parsing one repository, and the process can't end before.
  setFlagsFromString('--liftoff-only');
  const { redact, graph, cache, ref, since, focus, focusPath, output, explain, quiet, ...chosen } = flags;
  const { values, warnings } = loadSettings(
    ['digest', 'github', 'cache'],
    {
      digest: { ...chosen, ...(!redact && { redact }), ...(!graph && { graph }) },
      cache: cache ? {} : { enabled: false },
    },
    currentFolder(),
    process.env,
  );
  const { timeout, offline, ...settings } = values.digest;
  if (!quiet) warn(warnings);
  const file = output === '-' ? undefined : output;
  if (file !== undefined) await checkOutput(file);

  const { digest, text } = await interruptible(async (signal) => {
    const digest = await makeDigest(
      path,
      {
        ...settings,
        remote: {
          timeout,
          offline,
          github: values.github,
          ...(values.cache.enabled && { cache: values.cache }),
        },
        ...(ref !== undefined && { ref }),
        ...(since !== undefined && { since }),
        ...(focus !== undefined && { focus }),
        ...(focusPath !== undefined && { focusPaths: focusPath }),
        ...(file !== undefined && { without: file }),
        signal,
      },
      quiet,
    );
    const text = settings.format === 'json' ? asJson(digest, explain) : digest.text;
    signal.throwIfAborted();
    if (file !== undefined) await writeOutput(file, text);
    return { digest, text };
  });

  if (file === undefined) await writeStdout(text);
  if (!quiet) warn(digest.warnings.map(({ message }) => message));
  if (explain) {
    const { explain } = await import('./explain.ts');
    process.stderr.write(explain(digest, { colour: hasColours() }));
  }
}

async function makeDigest(
  path: string,
  options: DigestOptions & { signal: AbortSignal },
  quiet = false,
): Promise<Digest> {
  const { digest } = await import('../digest/digest.ts');
  if (quiet) return await digest(path, options);
  const progress = progressLine(process.stderr);
  options.signal.addEventListener('abort', progress.end);
  try {
    return await digest(path, { ...options, onProgress: progress.update });
  } finally {
    progress.end();
  }
}

function asJson({ nearMisses, ...digest }: Digest, explain = false): string {
  return `${JSON.stringify(explain ? { ...digest, nearMisses } : digest, null, 2)}\n`;
}

function hasColours(): boolean {
  return process.stderr.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

function parseFormat(value: string): DigestFormat {
  const format = DIGEST_FORMATS.find((known) => known === value);
  if (format) return format;
  throw new PlimsollError('BAD_USAGE', `Not a format: '${value}'. Give one of ${DIGEST_FORMATS.join(', ')}.`);
}
