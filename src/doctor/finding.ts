/** How well it is with what was looked at: `fail` is for what is needed. */
export type Status = 'ok' | 'warn' | 'fail';

/** One thing that was looked at. */
export interface Finding {
  /** What was looked at. */
  readonly about: string;
  readonly status: Status;
  /** What was found, in one line. */
  readonly found: string;
  /** What to do about it, in one line; nothing where nothing is to be done. */
  readonly mend?: string;
}

export function ok(about: string, found: string): Finding {
  return { about, status: 'ok', found };
}

export function warn(about: string, found: string, mend: string): Finding {
  return { about, status: 'warn', found, mend };
}

export function fail(about: string, found: string, mend: string): Finding {
  return { about, status: 'fail', found, mend };
}
