/** How far a job is; `total` is left out where it isn't known. */
export interface Step {
  /** What is being done: `reading`. */
  readonly stage: string;
  /** What it is done to; files unless told. */
  readonly of?: string;
  readonly done: number;
  readonly total?: number;
  readonly bytes?: number;
  /** Requests that a host allows before its next reset. */
  readonly requestsLeft?: number;
  /** How much of an answer has come. */
  readonly tokens?: number;
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
export function progressLine(terminal: Terminal): Progress {
  if (!terminal.isTTY || process.env.TERM === 'dumb') return { update: () => {}, end: () => {} };
  let next = performance.now() + PATIENCE;
  let latest: Step | undefined;
  let shown = false;

  function draw(): void {
    if (!latest || performance.now() < next) return;
    next = performance.now() + INTERVAL;
    shown = true;
    const text = `plimsoll: ${describe(latest)}`;
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

/** `fetching files 3 of 40, 1.2 MB, 57 API requests left`. */
function describe({ stage, of = 'files', done, total, bytes, requestsLeft, tokens }: Step): string {
  const count = total === undefined ? done || '' : `${done} of ${total}`;
  const parts = [`${stage} ${of} ${count}`.trimEnd()];
  if (bytes !== undefined) parts.push(`${(bytes / 1_000_000).toFixed(1)} MB`);
  if (tokens) parts.push(`${tokens} tokens`);
  if (requestsLeft !== undefined) parts.push(`${requestsLeft} API requests left`);
  return parts.join(', ');
}
