/** The middle value; the mean of the two middle ones where there is an even number. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median and least wall time, median CPU time (ms), median and largest peak (KiB) of what `run` returned. */
export function summary(runs) {
  const times = runs.map(({ ms }) => ms);
  const peaks = runs.map(({ peakKb }) => peakKb);
  return {
    ms: median(times),
    minMs: Math.min(...times),
    cpuMs: median(runs.map(({ cpuMs }) => cpuMs)),
    kb: median(peaks),
    maxKb: Math.max(...peaks),
  };
}

/** Milliseconds as text. */
export const ms = (value) => `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;

/** CPU time in milliseconds, counted in steps of 10, as text. */
export const cpu = (value) => (value < 10 ? '< 10 ms' : ms(value));

/** KiB as MB of 1,000,000 bytes. */
export const mb = (kb) => `${Math.round((kb * 1024) / 1e6)} MB`;

/** A number with commas between the thousands. */
export const count = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** A Markdown table; columns after the first are aligned to the right. */
export function table(head, rows) {
  const widths = head.map((_, i) => Math.max(3, ...[head, ...rows].map((cells) => cells[i].length)));
  const line = (cells) =>
    `| ${cells.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** Collects the verdicts on the bars of a benchmark. */
export function bars() {
  const rows = [];
  return {
    /** `value` must be at most `limit`; both are told with `unit`. */
    atMost(what, value, limit, unit = '') {
      const most = Number.isInteger(limit) ? limit : limit.toFixed(2);
      rows.push([
        what,
        `${value.toFixed(2)}${unit}`,
        `${most}${unit}`,
        value <= limit ? 'kept' : '**missed**',
      ]);
    },
    /** The verdicts as a Markdown table. */
    table: () => table(['bar', 'measured', 'at most', ''], rows),
    /** True where all are kept. */
    kept: () => rows.every((row) => row[3] === 'kept'),
  };
}
