import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import { Damage } from '../context/damage.ts';
import type { Document } from '../context/document.ts';
import type { Entry } from '../diary/diary.ts';
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

/** Facts as text that `readFacts` takes; entries of a diary go with JSON alone. */
export function writeFacts(document: Document, format: Format, diary?: readonly Entry[]): string {
  if (format === 'json') return writeJson(document, diary);
  return format === 'jsonl' ? writeGraph(document) : writeMarkdown(document);
}

/**
 * The values in a file, each key once; their keys are not checked. Throws `BAD_IMPORT`, with the file's `name` and the
 * line, if there is anything in it that is not of the format.
 */
export function readFacts(bytes: Buffer, format: Format, name: string): NewValue[] {
  try {
    if (format === 'json') return readJson(bytes);
    if (!isUtf8(bytes)) throw bad(name, 'it is not UTF-8');
    const text = bytes.toString().replace(/^\ufeff/, '');
    const values = format === 'jsonl' ? readGraph(text) : readMarkdown(text);
    return Array.from(values, ([key, json]) => ({ key, json }));
  } catch (error) {
    if (error instanceof Damage || error instanceof BadLine) throw bad(name, error.message);
    throw error;
  }
}

function bad(name: string, fact: string): PlimsollError {
  return new PlimsollError(
    'BAD_IMPORT',
    `Cannot import ${visibleName(name)}: ${visibleName(fact)}. Nothing was imported; mend it, or name what it is with --format.`,
  );
}
