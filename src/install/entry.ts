import type { Entry, Launcher } from '../wrap/config/entry.ts';
import { isPlimsoll } from '../wrap/config/words.ts';

/** What the server is called in a configuration unless it has another name there. */
export const NAME = 'plimsoll';

/** What the command line of an entry says, whatever the client's shape for it. */
export function commandLineOf({ command, args }: Entry): readonly string[] {
  if (typeof command === 'object' && command !== null && !Array.isArray(command)) {
    const { path, args: own } = command as Entry;
    return commandLineOf({ command: path, args: own });
  }
  return [command, args].flat().filter((word) => typeof word === 'string');
}

/** How an entry runs the server, if it does. */
export interface Served {
  /** The words before `serve`: what starts this program. */
  readonly launcher: readonly string[];
  /** The words after it: options. */
  readonly options: readonly string[];
  /** Whether another program of ours stands before it: `plimsoll wrap`. */
  readonly isWrapped: boolean;
}

/** How an entry runs this program's server, wherever it is installed; `undefined` if it runs something else. */
export function servedBy(entry: Entry, launcher: Launcher): Served | undefined {
  const words = commandLineOf(entry);
  const at = words.findIndex((word, index) => word === 'serve' && isOwn(words[index - 1] ?? '', launcher));
  if (at < 0) return undefined;
  const before = words.slice(0, at);
  const isWrapped = before.some((word, index) => word === 'wrap' && isOwn(before[index - 1] ?? '', launcher));
  return { launcher: before, options: words.slice(at + 1), isWrapped };
}

function isOwn(word: string, launcher: Launcher): boolean {
  return word === launcher.args.at(-1) || isPlimsoll(word) || /[\\/]dist[\\/]cli[\\/]main\.js$/.test(word);
}
