import { longestRun } from '../../text/cut.ts';
import { visible, visibleJson } from '../../text/visible.ts';
import { oneLine } from '../answers/frame.ts';
import type { Document, Found } from '../context/document.ts';
import { writeKey } from '../context/keys.ts';
import { readEntries, strayLine, type WrittenEntry, writeEntries } from '../diary/diary.ts';
import { BadLine } from './bad-line.ts';
import type { Transfer } from './transfer.ts';
import { Values } from './values.ts';

const TITLE = '# Memory';
/** What comes after it is a diary. */
const DIARY = /^# Diary[ \t]*(?:\r?\n|$)/m;

/** What means something in Markdown within a line (CommonMark, section 6). */
const MARKUP = /[\\`*_<>[\]&]/;

const HEADING = /^## +(.+)$/;
const ITEM = /^[-*] +(?:(`+)(.+?)\1|([^`].*?)):(?:\s+(.*))?$/;
const FENCE = /^ *(`{3,})$/;
const CODE = /^(`+)(.*)\1$/;

/**
 * Facts as Markdown: a heading for each section and an item for each value in it. Texts stand as they are; values of
 * other kinds, and texts that Markdown would take for more than text, are JSON in backticks; several lines are a block of
 * code. Entries of a diary come at the end, as a diary holds them.
 */
export function writeMarkdown(document: Document, diary?: readonly WrittenEntry[]): string {
  const facts = [`${TITLE}\n`, ...sectionsOf(document.root)];
  return [...facts, ...(diary ? [`# Diary\n\n${writeEntries(diary)}`] : [])].join('\n');
}

function* sectionsOf(section: Found): Generator<string> {
  const children = section.children();
  const values = children.filter(({ kind }) => kind === 'value');
  if (values.length > 0) {
    if (section.path.length > 0) yield `## ${keyText(section.path)}\n`;
    yield `${values.map((value) => itemOf(value)).join('\n')}\n`;
  }
  for (const child of children) if (child.kind === 'section') yield* sectionsOf(child);
}

function itemOf(value: Found): string {
  return `- ${keyText(value.path.slice(-1))}:${valueText(value.json())}`;
}

function keyText(path: readonly string[]): string {
  const key = writeKey(path);
  return isPlain(key) && !key.includes(':') ? key : code(JSON.stringify(key));
}

function valueText(json: string): string {
  const value = json.startsWith('"') ? (JSON.parse(json) as string) : undefined;
  if (value !== undefined && isPlain(value)) return ` ${value}`;
  return value !== undefined && isBlock(value) ? block(value) : ` ${code(json)}`;
}

function isPlain(text: string): boolean {
  return (
    text !== '' &&
    text === text.trim() &&
    !MARKUP.test(text) &&
    !/[\t\r\n]/.test(text) &&
    visible(text) === text
  );
}

function isBlock(text: string): boolean {
  return text.includes('\n') && !text.includes('\r') && visible(text) === text;
}

function block(text: string): string {
  const fence = `  ${'`'.repeat(Math.max(3, longestRun(text, '`') + 1))}`;
  const lines = text.split('\n').map((line) => (line === '' ? '' : `  ${line}`));
  return ['', fence, ...lines, fence].join('\n');
}

function code(json: string): string {
  const line = visibleJson(oneLine(json));
  const ticks = '`'.repeat(longestRun(line, '`') + 1);
  return ticks + line + ticks;
}

/** What is in Markdown such as `writeMarkdown` gives. Throws `BadLine` for whatever is neither a heading nor an item. */
export function readMarkdown(text: string): Transfer {
  const title = DIARY.exec(text);
  const facts = text.slice(0, title?.index);
  const values = readValues(facts);
  const diary = title ? text.slice(title.index + title[0].length) : '';
  const entries = readEntries(diary);
  const stray = strayLine(diary, entries);
  if (stray !== undefined) {
    throw new BadLine(
      facts.split('\n').length + stray,
      'a diary has entries, each below its time ("## 2026-12-01 17:30:00 +01:00 [tag]")',
    );
  }
  return {
    values: values.all,
    repeated: values.repeated,
    entries: entries.map(({ at, tag, text: said }) => ({ at, tag, text: said })),
  };
}

function readValues(text: string): Values {
  const values = new Values();
  const lines = text.split(/\r?\n/);
  let section = '';
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] as string).trimEnd();
    if (line === TITLE) section = '';
    if (line === '' || line === TITLE) continue;
    const [, heading] = HEADING.exec(line) ?? [];
    if (heading !== undefined) {
      section = `${readKey(heading, at + 1)}.`;
      continue;
    }
    const [, ticks, quoted, plain = '', value = ''] = ITEM.exec(line) ?? [];
    if (plain === '' && quoted === undefined) {
      throw new BadLine(at + 1, 'neither a heading ("## people.maria") nor a fact ("- role: CTO")');
    }
    const key = section + readKey(quoted === undefined ? plain : `${ticks}${quoted}${ticks}`, at + 1);
    if (value === '') {
      const { content, end } = readBlock(lines, at + 1);
      values.set(key, JSON.stringify(content));
      at = end;
    } else {
      values.set(key, readValue(value, at + 1));
    }
  }
  return values;
}

function readKey(text: string, line: number): string {
  const json = CODE.exec(text)?.[2];
  if (json === undefined) return text;
  const key = parsed(json, line);
  if (typeof key === 'string') return key;
  throw new BadLine(line, 'a key in backticks must be a text in double quotes');
}

function readValue(text: string, line: number): string {
  const json = CODE.exec(text)?.[2];
  if (json === undefined) return JSON.stringify(text);
  parsed(json, line);
  return json;
}

function parsed(json: string, line: number): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BadLine(line, 'what stands in backticks is not JSON; a text needs double quotes within them');
  }
}

/** The text of a block that begins at the line with that index, and the index of its last line. */
function readBlock(lines: readonly string[], start: number): { content: string; end: number } {
  const fence = FENCE.exec((lines[start] ?? '').trimEnd())?.[1];
  if (fence === undefined) {
    throw new BadLine(start, 'there is no value; an empty text is `""`');
  }
  let end = start + 1;
  while (end < lines.length && lines[end]?.trim() !== fence) end++;
  if (end === lines.length) throw new BadLine(start + 1, 'the block that begins here has no end');
  const content = lines.slice(start + 1, end).map((line) => line.replace(/^ {2}/, ''));
  return { content: content.join('\n'), end };
}
