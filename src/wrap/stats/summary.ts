import { readFile } from 'node:fs/promises';
import { PlimsollError } from '../../errors.ts';
import { reasonOf } from '../../spool/folders.ts';
import { type Call, type Reading, recordsIn } from './record.ts';

/** How sizes are spread, in bytes. */
export interface Spread {
  readonly median: number;
  readonly p95: number;
  readonly largest: number;
}

/** What the calls of a tool came to. */
export interface ToolSummary {
  readonly server: string;
  readonly tool: string;
  readonly calls: number;
  /** How many results became smaller. */
  readonly bounded: number;
  readonly before: Spread;
  readonly after: Spread;
  /** What was read of its results afterwards. */
  readonly readBack: { readonly calls: number; readonly bytes: number };
  /** What was left out of text less what was read back, at four bytes to a token. Pictures and sounds count nothing. */
  readonly tokensSaved: number;
}

export interface Summary {
  /** By server and tool, in the order of their names. */
  readonly tools: readonly ToolSummary[];
  readonly calls: number;
  readonly tokensSaved: number;
  /** When the first of them was, as ISO 8601. */
  readonly since: string | undefined;
}

/** What stands for the tool where it isn't known whose result was read. */
const UNKNOWN = '(tool not known)';

const BYTES_PER_TOKEN = 4;

/**
 * Reads the records in a folder; lines that were broken off are passed over. Throws `STATS_UNREADABLE` if the folder or
 * a record in it can't be read.
 */
export async function readRecords(folder: string): Promise<readonly (Call | Reading)[]> {
  const lines: (Call | Reading)[] = [];
  try {
    for (const { path } of recordsIn(folder)) {
      for (const line of (await readFile(path, 'utf8')).split('\n')) {
        const record = recordIn(line);
        if (record) lines.push(record);
      }
    }
  } catch (cause) {
    throw new PlimsollError(
      'STATS_UNREADABLE',
      `Cannot read the records in '${folder}': ${reasonOf(cause)}.`,
      {
        cause,
      },
    );
  }
  return lines;
}

function recordIn(line: string): Call | Reading | undefined {
  try {
    const record = JSON.parse(line);
    const isNamed = [record.time, record.server, record.tool ?? record.reader].every(
      (name) => typeof name === 'string',
    );
    const isSized = [record.after, record.before ?? 0, record.files ?? 0].every(
      (size) => Number.isSafeInteger(size) && size >= 0,
    );
    return isNamed && isSized ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Sums up what calls came to, by server and tool. */
export function summarise(records: readonly (Call | Reading)[]): Summary {
  const calls = records.filter((record): record is Call => 'tool' in record);
  const readings = records.filter((record): record is Reading => 'reader' in record);
  const tools = new Map(calls.flatMap(({ handle, tool }) => (handle === undefined ? [] : [[handle, tool]])));
  const groups = new Map<string, { server: string; tool: string; calls: Call[]; readings: Reading[] }>();

  function groupOf(server: string, tool: string) {
    const key = JSON.stringify([server, tool]);
    const group = groups.get(key) ?? { server, tool, calls: [], readings: [] };
    groups.set(key, group);
    return group;
  }

  for (const call of calls) groupOf(call.server, call.tool).calls.push(call);
  for (const reading of readings) {
    groupOf(reading.server, tools.get(reading.handle ?? '') ?? UNKNOWN).readings.push(reading);
  }
  const summaries = [...groups.values()]
    .map(({ server, tool, calls, readings }) => summaryOf(server, tool, calls, readings))
    .sort((a, b) => compare(a.server, b.server) || compare(a.tool, b.tool));
  return {
    tools: summaries,
    calls: calls.length,
    tokensSaved: sum(summaries.map(({ tokensSaved }) => tokensSaved)),
    since: records.map(({ time }) => time).sort()[0],
  };
}

function summaryOf(
  server: string,
  tool: string,
  calls: readonly Call[],
  readings: readonly Reading[],
): ToolSummary {
  const read = sum(readings.map(({ after }) => after));
  const left = sum(calls.map(({ before, after, files = 0 }) => before - after - files));
  return {
    server,
    tool,
    calls: calls.length,
    bounded: calls.filter(({ before, after }) => after < before).length,
    before: spreadOf(calls.map(({ before }) => before)),
    after: spreadOf(calls.map(({ after }) => after)),
    readBack: { calls: readings.length, bytes: read },
    tokensSaved: Math.round((left - read) / BYTES_PER_TOKEN),
  };
}

/** Each by the nearest rank. */
function spreadOf(sizes: readonly number[]): Spread {
  const sorted = [...sizes].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { median: at(0.5), p95: at(0.95), largest: at(1) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
