import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import { Damage } from '../context/damage.ts';
import type { Document } from '../context/document.ts';
import type { WrittenEntry } from '../diary/diary.ts';
import type { NewValue } from '../memory.ts';
import { BadLine } from './bad-line.ts';
import { readGraph, writeGraph } from './graph.ts';
import { readJson, writeJson } from './json.ts';
import { readMarkdown, writeMarkdown } from './markdown.ts';

/** JSON Lines are those of the MCP reference memory server, `@modelcontextprotocol/server-memory`. */
export type Format = 'json' | 'markdown' | 'jsonl';

export const FORMATS: readonly Format[] = ['json', 'markdown', 'jsonl'];

const ENDINGS: Readonly<Record<string, Format>> = {
  '.json': 'json',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
};

/** The format that a file's name tells. */
export function formatOf(file: string): Format | undefined {
  return ENDINGS[extname(file).toLowerCase()];
}

/** What is in a file. */
export interface Transfer {
  /** Each key once; they are not checked. */
  readonly values: readonly NewValue[];
  /** The keys that stand there with another value as well; the last counts. */
  readonly repeated: readonly string[];
  /** Those of a diary, not checked either. */
  readonly entries: readonly WrittenEntry[];
}

/** Whether files of the format hold entries of a diary. */
export function holdsDiary(format: Format): boolean {
  return format !== 'jsonl';
}

/** Facts as text that `readTransfer` takes, with entries of a diary unless the format holds none. */
export function writeTransfer(document: Document, format: Format, diary?: readonly WrittenEntry[]): string {
  if (format === 'json') return writeJson(document, diary);
  return format === 'jsonl' ? writeGraph(document) : writeMarkdown(document, diary);
}

/**
 * Reads the content of a file. Throws `BAD_IMPORT`, with the file's `name` and the line, if there is anything in it that is
 * not of the format.
 */
export function readTransfer(bytes: Buffer, format: Format, name: string): Transfer {
  try {
    if (format === 'json') return readJson(bytes);
    if (!isUtf8(bytes)) throw bad(name, format, 'it is not UTF-8');
    const text = bytes.toString().replace(/^\ufeff/, '');
    return format === 'jsonl' ? readGraph(text) : readMarkdown(text);
  } catch (error) {
    if (error instanceof Damage || error instanceof BadLine) throw bad(name, format, error.message);
    throw error;
  }
}

function bad(name: string, format: Format, fact: string): PlimsollError {
  return new PlimsollError(
    'BAD_IMPORT',
    `Cannot import ${visibleName(name)} as ${format}: ${visibleName(fact)}. Nothing was imported; mend it, or give another --format.`,
  );
}
