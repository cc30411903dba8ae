import { Command, CommanderError } from 'commander';
import { PlimsollError } from '../errors.ts';
import { version } from '../version.ts';
import { describeFailure } from './failure.ts';

/** One line and one loader a command; only the asked command's code is loaded. */
const COMMANDS = {
  digest: {
    summary: 'turn a folder or any git repository into one document within a hard budget',
    load: async () => (await import('./digest.ts')).defineDigest,
  },
  cache: {
    summary: 'show or clear what is kept of remote repositories',
    load: async () => (await import('./cache.ts')).defineCache,
  },
  wrap: {
    summary: 'put a proxy in front of an MCP server that bounds every result',
    load: async () => (await import('./wrap.ts')).defineWrap,
  },
  spool: {
    summary: 'show, read, search or clear what was left out of results',
    load: async () => (await import('./spool.ts')).defineSpool,
  },
  serve: {
    summary: 'serve everything to MCP clients: digests, memory, transcripts',
    load: async () => (await import('./serve.ts')).defineServe,
  },
  install: {
    summary: 'add the server to an MCP client, or take it out again',
    load: async () => (await import('./install.ts')).defineInstall,
  },
  doctor: {
    summary: 'look at everything the work depends on, and say how to mend what is amiss',
    load: async () => (await import('./doctor.ts')).defineDoctor,
  },
  memory: {
    summary: 'keep facts and a diary that outlive a conversation, in files you can read and edit',
    load: async () => (await import('./memory.ts')).defineMemory,
  },
  transcript: {
    summary: 'turn a conversation into facts, on this machine only, and merge them into memory',
    load: async () => (await import('./transcript.ts')).defineTranscript,
  },
  stats: {
    summary: 'show what wrapping has come to: calls, sizes, tokens saved',
    load: async () => (await import('./stats.ts')).defineStats,
  },
};

/** Runs a command line (without the program's name) and gives the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const verbose = ownArgs(args).includes('--verbose');
  process.stderr.on('error', () => {});
  process.on('uncaughtException', (error) => process.exit(report(error, verbose)));
  try {
    const program = await createProgram(args);
    if (args.length === 0) {
      program.outputHelp({ error: true });
      return 2;
    }
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return report(error instanceof CommanderError ? badUsage(error, args) : error, verbose);
  }
}

/** What stands before `--`: what comes after it is another command's. */
function ownArgs(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

/** Says on stderr what went wrong, and gives the exit code. */
function report(error: unknown, verbose: boolean): number {
  const { text, exitCode } = describeFailure(error, verbose);
  process.stderr.write(text);
  return exitCode;
}

async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('plimsoll')
    .description("Bounds what enters a model's context: chooses well, and says what it left out.")
    .version(version, '-V, --version', 'print the version')
    .option('--verbose', 'show stack traces of errors')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 bad usage.')
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(summary);
    if (ownArgs(args).includes(name)) (await load())(command);
  }
  return program;
}

/** Commander's `error: unknown option '--x'\n(Did you mean --y?)` as one line that says where to look. */
function badUsage({ message }: CommanderError, args: readonly string[]): PlimsollError {
  const [, what = message, instead] = /^error: (.*?)\.?(?:\n\(Did you mean (.*)\?\))?$/s.exec(message) ?? [];
  const asked = ownArgs(args).find((arg) => Object.hasOwn(COMMANDS, arg));
  const hint = instead ? `Did you mean ${instead}?` : `See plimsoll ${asked ? `${asked} ` : ''}--help.`;
  return new PlimsollError('BAD_USAGE', `${what.charAt(0).toUpperCase()}${what.slice(1)}. ${hint}`);
}
