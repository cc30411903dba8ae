import { constants } from 'node:os';
import { isatty } from 'node:tty';

/** How long work that was asked to stop may take to clean up, in milliseconds. */
const GRACE = 1000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The work was stopped by a signal, and a line on stderr has said so. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('interrupted');
    this.exitCode = exitCode;
  }
}

/**
 * Runs `work` such that SIGINT, SIGTERM and SIGHUP stop it in order: its signal aborts, and what it leaves behind is
 * cleaned up. Throws `Interrupted` then, with 128 plus the signal's number as exit code. A second signal, or
 * work that doesn't heed the first within a second, ends the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  let exitCode: number | undefined;

  function stop(name: (typeof SIGNALS)[number]): void {
    if (exitCode !== undefined) process.exit(exitCode);
    const code = 128 + constants.signals[name];
    exitCode = code;
    if (name === 'SIGHUP' && hasTerminal) process.once('exit', dieOfHangup);
    controller.abort();
    process.stderr.write('plimsoll: interrupted\n');
    setTimeout(() => process.exit(code), GRACE).unref();
  }

  /** At its exit Node sets terminals right, and aborts where one is gone. */
  function dieOfHangup(): void {
    process.off('SIGHUP', stop);
    process.kill(process.pid, 'SIGHUP');
  }

  for (const name of SIGNALS) process.on(name, stop);
  try {
    const result = await work(controller.signal);
    if (exitCode !== undefined) throw new Interrupted(exitCode);
    return result;
  } catch (error) {
    throw exitCode === undefined ? error : new Interrupted(exitCode);
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
  }
}
