import { describeStep, type Step } from '../text/step.ts';

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
export function progressLine(terminal: Terminal): Progress {
  if (!terminal.isTTY || process.env.TERM === 'dumb') return { update: () => {}, end: () => {} };
  let next = performance.now() + PATIENCE;
  let latest: Step | undefined;
  let shown = false;

  function draw(): void {
    if (!latest || performance.now() < next) return;
    next = performance.now() + INTERVAL;
    shown = true;
    const text = `plimsoll: ${describeStep(latest)}`;
    terminal.write(CLEAR + text.slice(0, (terminal.columns || 80) - 1));
    latest = undefined;
  }

  // A step may take long, and many steps may leave no turn to a timer: each draws where the other doesn't.
  const timer = setInterval(draw, INTERVAL).unref();
  return {
    update(step) {
      latest = step;
      draw();
    },
    end() {
      clearInterval(timer);
      next = Number.POSITIVE_INFINITY;
      if (shown) terminal.write(CLEAR);
      shown = false;
    },
  };
}
