import type { Command } from 'commander';
import type { Digest, DigestOptions } from '../digest/digest.ts';
import { PlimsollError } from '../errors.ts';
import { parseBudget } from '../measure/budget.ts';
import { loadSettings } from '../settings/load.ts';
import { DIGEST_FORMATS, type DigestFormat, type DigestSettings } from '../settings/settings.ts';
import { interruptible } from './interrupt.ts';
import { checkOutput, writeOutput, writeStdout } from './output.ts';
import { progressLine } from './progress.ts';
import { warn } from './warn.ts';

interface Flags extends Partial<Omit<DigestSettings, 'redact'>> {
  readonly redact: boolean;
  readonly ref?: string;
  readonly output?: string;
  readonly explain?: boolean;
  readonly quiet?: boolean;
}

const HELP = `
Settings, strongest first: these options; the environment (PLIMSOLL_DIGEST_BUDGET,
PLIMSOLL_DIGEST_FORMAT, PLIMSOLL_DIGEST_REDACT); .env and plimsoll.config.json, found
upwards from the current folder.

Examples:
  plimsoll digest .
  plimsoll digest ../project --budget 10000tok --output digest.md
  plimsoll digest . --ref v1.0 --include 'src/**' --exclude '**/*.test.ts'
  plimsoll digest . --explain >/dev/null`;

/** Adds the arguments, options and action of `plimsoll digest`. */
export function defineDigest(command: Command): void {
  command
    .argument('<PATH>', 'a folder, inside a git repository or not')
    .option(
      '-b, --budget <N>',
      'the most the document may hold: characters (40000, the default) or tokens (10000tok)',
      parseBudget,
    )
    .option('-f, --format <FORMAT>', 'markdown (the default), xml or json', parseFormat)
    .option('--ref <REF>', "show a commit's files instead of the work tree's")
    .option('--include <GLOB>', 'only files that match (repeatable)', collect)
    .option('--exclude <GLOB>', 'no files that match (repeatable)', collect)
    .option('-o, --output <FILE>', 'write the document to a file instead of stdout')
    .option('--explain', 'report on stderr how the budget was spent and why each file was chosen')
    .option('--no-redact', 'show keys and passwords as they stand in the files')
    .option('-q, --quiet', 'no progress and no warnings')
    .addHelpText('after', HELP)
    .action(runDigest);
}

async function runDigest(path: string, flags: Flags): Promise<void> {
  const { redact, ref, output, explain, quiet, ...chosen } = flags;
  const settings = loadSettings(
    'digest',
    { ...chosen, ...(!redact && { redact }) },
    currentFolder(),
    process.env,
  );
  if (!quiet) warn(settings.warnings);
  const file = output === '-' ? undefined : output;
  if (file !== undefined) await checkOutput(file);

  const { digest, text } = await interruptible(async (signal) => {
    const digest = await makeDigest(
      path,
      {
        ...settings.values,
        ...(ref !== undefined && { ref }),
        ...(file !== undefined && { without: file }),
        signal,
      },
      quiet,
    );
    const text = settings.values.format === 'json' ? asJson(digest, explain) : digest.text;
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

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new PlimsollError('BAD_USAGE', 'The current folder no longer exists: change to one that does.', {
      cause,
    });
  }
}

function parseFormat(value: string): DigestFormat {
  const format = DIGEST_FORMATS.find((known) => known === value);
  if (format) return format;
  throw new PlimsollError('BAD_USAGE', `Not a format: '${value}'. Give one of ${DIGEST_FORMATS.join(', ')}.`);
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
