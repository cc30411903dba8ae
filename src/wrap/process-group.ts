import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether processes come in groups, as on POSIX systems. */
export const HAS_GROUPS = process.platform !== 'win32';

/** How often it is seen whether processes have ended that are not our own children, in milliseconds. */
const LOOK = 50;

/** A child that was started with `detached`, and all that it has started; on Windows the child alone. */
export class ProcessGroup {
  readonly #leader: ChildProcess;
  /** Another group may have its id then. */
  #isGone = false;

  constructor(leader: ChildProcess) {
    this.#leader = leader;
    leader.once('exit', () => this.signal(0));
  }

  /** Sends a signal to all of them; 0 is none. Gives whether there was one that could get it. */
  signal(name: NodeJS.Signals | 0): boolean {
    this.#isGone ||= !this.#send(name);
    return !this.#isGone;
  }

  /** Waits until all have ended, so many milliseconds at most, and gives whether they have. */
  async isGoneWithin(most: number): Promise<boolean> {
    for (let waited = 0; waited < most && this.signal(0); waited += LOOK) await delay(LOOK);
    return !this.signal(0);
  }

  #send(name: NodeJS.Signals | 0): boolean {
    const { pid } = this.#leader;
    if (!HAS_GROUPS) return this.#leader.kill(name);
    try {
      return pid !== undefined && process.kill(-pid, name);
    } catch {
      return false;
    }
  }
}
