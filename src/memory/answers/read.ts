import { cutHead } from '../../text/cut.ts';
import { visible, visibleName } from '../../text/visible.ts';
import type { Found } from '../context/document.ts';
import { parseExistingKey, writeKey, writeSegment } from '../context/keys.ts';
import { nearestIn } from '../search/search.ts';
import { textOf } from '../search/search-index.ts';
import { hiddenBy, type Part, partsAt, type Source } from '../sources.ts';
import {
  answerOf,
  beyond,
  dedented,
  linesWithin,
  oneLine,
  type PageOptions,
  recalledHead,
  roomBeside,
  shortLine,
  startOf,
} from './frame.ts';

export interface ReadAsked extends PageOptions {
  /** A key, or that of a section; everything if left out or empty. */
  readonly prefix?: string | undefined;
}

/** Shorter values stand in an outline as they are, in UTF-16 code units; longer keys only by what they end in. */
const SHORT_VALUE = 80;
const LONGEST_KEY = 200;

/** A UTF-16 code unit takes at most so many bytes of UTF-8, and white space that is left out may double that. */
const BYTES_PER_CHAR = 6;

/** So many keys are named of those that a nearer scope hides. */
const MOST_HIDDEN = 5;

/**
 * What is stored under a prefix: a value as it reads; a section as it stands in the file if it fits, and else an outline,
 * with how to go on. Throws `BAD_KEY` for a prefix that is too long and `BAD_USAGE` for a `from` beyond the end.
 */
export function readAnswer(sources: readonly Source[], asked: ReadAsked): string {
  const { prefix = '' } = asked;
  const from = startOf(asked);
  const parts = partsAt(sources, prefix.trim() === '' ? [] : parseExistingKey(prefix));
  const [nearest] = parts;
  if (!nearest) return notFoundAnswer(sources, asked);
  if (nearest.found.kind === 'value') return valueAnswer(nearest, parts, sources, asked);
  const sections = parts.filter(({ source, found }) => found.kind === 'section' && !source.isGone);
  return (from === 0 && wholeAnswer(sections, sources, asked)) || outlineAnswer(sections, sources, asked);
}

function notFoundAnswer(sources: readonly Source[], asked: ReadAsked): string {
  const { prefix = '', limit } = asked;
  const nearest = nearestIn(sources, prefix);
  const notes = [
    `There is nothing under ${shortLine(prefix, 80)}.`,
    nearest.length > 0
      ? 'These keys are like it:'
      : 'No key is like it; search_context searches values as well.',
  ];
  const head = recalledHead(sources, notes, asked);
  return answerOf(head, keyLines(nearest, roomBeside(head, { limit })), asked);
}

/** Keys, one a line. */
export function keyLines(keys: readonly string[], room: number): string {
  return linesWithin(
    keys.map((key) => shortLine(key, Math.floor(room / keys.length) - 1)),
    room,
  ).text;
}

function valueAnswer(
  { source, found }: Part,
  parts: readonly Part[],
  sources: readonly Source[],
  asked: ReadAsked,
): string {
  const { from = 0, limit } = asked;
  const json = found.json();
  const text = json.startsWith('"') ? visible(textOf(json)) : visible(dedented(json));
  if (from > 0 && from >= text.length) throw beyond(from, `The value has ${text.length} characters`);
  const others = parts.filter((part) => part.source !== source).map((part) => part.source.scope);
  const notes = [...alsoNote(found), ...others.map((scope) => `The ${scope} memory has this key too.`)];
  const kind = kindOf(json.charAt(0));
  const origins = sources.filter((one) => one === source || one.isGone);
  const whole = recalledHead(origins, [...notes, `A ${kind}:`], asked);
  if (from === 0 && text.length <= roomBeside(whole, asked)) return answerOf(whole, text, asked);
  const headFor = (next: number) => {
    const goesOn = next < text.length ? ` For more, the same prefix and from: ${next}.` : '';
    return recalledHead(
      origins,
      [...notes, `A ${kind}, characters ${from + 1} to ${next} of ${text.length}.${goesOn}`],
      asked,
    );
  };
  const room = roomBeside(headFor(text.length - 1), { limit });
  const slice = cutHead(text.slice(from, from + room + 1), room);
  return answerOf(headFor(from + slice.length), slice.toWellFormed(), asked);
}

/** The sections as they stand in their files; nothing if that is too long. */
function wholeAnswer(
  sections: readonly Part[],
  sources: readonly Source[],
  asked: ReadAsked,
): string | undefined {
  const bytes = sections.reduce((sum, { found }) => sum + found.end - found.start, 0);
  if (bytes > asked.limit * BYTES_PER_CHAR) return undefined;
  const origins = originsOf(sections, sources);
  if (sections.every(({ found }) => found.children().length === 0)) {
    const notes = sections.length > 0 ? ['There is nothing in it.'] : [];
    return answerOf(recalledHead(origins, notes, asked), '', asked);
  }
  const data = sections.map(({ source, found }) => {
    const json = visible(dedented(found.json()));
    if (sections.length === 1) return json;
    const hidden = [...found.facts()]
      .filter(({ path }) => hiddenBy(sources, source, path))
      .map(({ key }) => shortLine(key, LONGEST_KEY));
    const more = hidden.length > MOST_HIDDEN ? ` and ${hidden.length - MOST_HIDDEN} more` : '';
    const which =
      hidden.length > 0 ? `, where a nearer one has ${hidden.slice(0, MOST_HIDDEN).join(', ')}${more}` : '';
    return `The ${source.scope} memory${which}:\n${json}`;
  });
  const head = recalledHead(origins, alsoNote(sections[0]?.found), asked);
  const text = data.join('\n\n');
  return text.length <= roomBeside(head, asked) ? answerOf(head, text, asked) : undefined;
}

/** The sources that sections are from, and those that are gone. */
function originsOf(sections: readonly Part[], sources: readonly Source[]): Source[] {
  return sources.filter((one) => one.isGone || sections.some(({ source }) => source === one));
}

/** What is directly in the sections, one a line. */
function outlineAnswer(sections: readonly Part[], sources: readonly Source[], asked: ReadAsked): string {
  const { from = 0, limit } = asked;
  const items = sections.flatMap(({ source, found }) => found.children().map((child) => ({ source, child })));
  if (from >= items.length && from > 0) throw beyond(from, `The section has ${items.length} keys`);
  const headFor = (next: number) => {
    const notes = [
      'Too long to be shown whole: its keys and their sizes; read_context with a key as prefix shows what is in it.',
      `Keys ${from + 1} to ${next} of ${items.length}.`,
      ...(next < items.length ? [`For more, the same prefix and from: ${next}.`] : []),
    ];
    return recalledHead(originsOf(sections, sources), notes, asked);
  };
  const room = roomBeside(headFor(items.length - 1), { limit });
  const { text, count } = linesWithin(outlineLines(items.slice(from), sources, room), room);
  return answerOf(headFor(from + count), text, asked);
}

function* outlineLines(
  items: readonly { readonly source: Source; readonly child: Found }[],
  sources: readonly Source[],
  room: number,
): Generator<string> {
  for (const { source, child } of items) {
    const hiding = hiddenBy(sources, source, child.path);
    const scope = hiding ? `[${source.scope}, hidden by ${hiding.scope}] ` : `[${source.scope}] `;
    yield shortLine(`${sources.length > 1 ? scope : ''}${keyOf(child.path)}: ${sizeOf(child)}`, room);
  }
}

function keyOf(path: readonly string[]): string {
  const key = visibleName(writeKey(path));
  return key.length <= LONGEST_KEY ? key : `….${visibleName(writeSegment(path.at(-1) as string))}`;
}

function sizeOf(child: Found): string {
  const bytes = child.end - child.start;
  const size = bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (child.kind === 'section') {
    const count = child.count();
    return `section, ${count} ${count === 1 ? 'value' : 'values'}, ${size}`;
  }
  const json = bytes > SHORT_VALUE * BYTES_PER_CHAR ? undefined : oneLine(child.json());
  return json !== undefined && json.length <= SHORT_VALUE ? json : `value, ${size}`;
}

function alsoNote(found: Found | undefined): string[] {
  const other = found?.alsoLiteral;
  return other ? [`Another key reads like this one; it is written ${shortLine(writeKey(other), 80)}.`] : [];
}

/** By the first character of its JSON. */
function kindOf(first: string): string {
  if (first === '"') return 'text';
  if (first === '[') return 'list';
  if (first === 'n') return 'null';
  return first === 't' || first === 'f' ? 'boolean' : 'number';
}
