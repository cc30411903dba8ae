import { Console } from 'node:console';

/** Leaves stdout to documents and protocols: what is printed to this thread's console goes to stderr from now on. */
export function keepStdoutClean(): void {
  Object.assign(console, new Console(process.stderr, process.stderr));
}
