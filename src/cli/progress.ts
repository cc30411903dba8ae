/** How far a job is; `total` is left out where it isn't known. */
export interface Step {
  readonly stage: string;
  readonly done: number;
  readonly total?: number;
}

/** What a progress line needs of `process.stderr`. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  /** Shows a step, if it is time to. Cheap enough to be called for every file. */
  readonly update: (step: Step) => void;
  /** Takes the line away, for good. */
  readonly end: () => void;
}

/** Work shorter than this shows no progress, in milliseconds. */
const PATIENCE = 500;
/** Between two changes of the line, in milliseconds. */
const INTERVAL = 100;

const CLEAR = '\r\x1b[2K';

/** A line on a terminal that says how far the work is; silent where nobody watches. */
export function progressLine(terminal: Terminal, now: () => number = () => performance.now()): Progress {
  let next = terminal.isTTY && process.env.TERM !== 'dumb' ? now() + PATIENCE : Number.POSITIVE_INFINITY;
  let shown = false;
  return {
    update({ stage, done, total }) {
      const time = now();
      if (time < next) return;
      next = time + INTERVAL;
      shown = true;
      const text = `plimsoll: ${stage}, ${total === undefined ? done : `${done} of ${total}`} files`;
      terminal.write(CLEAR + text.slice(0, (terminal.columns || 80) - 1));
    },
    end() {
      next = Number.POSITIVE_INFINITY;
      if (shown) terminal.write(CLEAR);
      shown = false;
    },
  };
}
