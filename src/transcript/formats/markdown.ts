import { parsed } from '../read/lines.ts';
import { headOf, type Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Role, Turn } from '../turn.ts';
import type { Format } from './format.ts';
import { Gatherer, textLinesOf } from './gather.ts';
import { isPersonsName, type Named, namedIn, namesIn, roleIn } from './named.ts';
import { otherKindOf } from './other.ts';
import { timeOf } from './parts.ts';

const SAMPLE = 64 * 1024;

/**
 * Any text: what nothing more particular recognises. Turns begin where the text tells who speaks, always in one way:
 * `## User`, `**User:** …`, `User: …`, or, where most paragraphs begin so, `Mara: …`, with or without a time before it. Without
 * any of these each paragraph is a turn, and a person's: what nobody knows who wrote.
 */
export const markdown: Format = {
  name: 'text',

  recognises: ({ text }) =>
    text.trim() !== '' &&
    !isBinary(text) &&
    !isJson(text) &&
    (!otherKindOf(text) || wayOf(text) !== undefined),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    const way = wayOf((await headOf(source, SAMPLE)).toString());
    const turns = new Gatherer(tally);
    const fences = new Fences();
    let isStart = true;
    let isSystem = false;
    for await (const { line, text } of textLinesOf(source, tally)) {
      const isCode = fences.isCode(text);
      const isBlank = !isCode && text.trim() === '';
      const mark = isCode ? undefined : way?.(text, isStart);
      if (mark) {
        yield* mark.role === 'system'
          ? turns.end()
          : turns.begin({ role: mark.role, speaker: mark.speaker, line, time: mark.time });
        isSystem = mark.role === 'system';
        if (isSystem) tally.add('injected', 'system', line);
        else turns.add({ line, text: mark.text });
      } else if (!way && isBlank) {
        yield* turns.end();
      } else if (!isSystem) {
        if (!way && !turns.opening) turns.begin({ role: 'person', line });
        turns.add({ line, text });
      }
      isStart = isBlank;
    }
    yield* turns.end();
  },
};

/** Where a turn begins. */
interface Mark {
  readonly role: Role;
  readonly speaker?: string;
  readonly time?: string | undefined;
  readonly text: string;
}

/** Who speaks, and when, in ISO 8601, if the text tells that. */
interface Label extends Named {
  readonly time?: string | undefined;
}

/** One way to tell who speaks; `isStart` tells whether the line begins a paragraph. */
type Way = (line: string, isStart: boolean) => Mark | undefined;

/** The way in which a text tells who speaks, by its beginning. */
function wayOf(head: string): Way | undefined {
  const lines = linesOutsideOfCode(head).filter(({ text }) => text.trim() !== '');
  const isFirst = head.trimStart().startsWith(lines[0]?.text.trim() ?? '');
  for (const labelIn of [headingIn, boldIn, stampedIn]) {
    const labels = lines.map(({ text }) => labelIn(text));
    const roleOf = rolesIn(labels);
    const roles = new Set(labels.map((label) => label && roleOf(label.name)));
    const isOneAlone = labelIn !== headingIn && isFirst && areOfOne(labels);
    if (isOneAlone || (roles.has('person') && roles.has('assistant'))) {
      return (line) => roleMark(labelIn(line), roleOf);
    }
  }
  for (const labelIn of [boldIn, stampedIn]) {
    if (areInTurn(lines.map(({ text }) => labelIn(text)))) return (line) => nameMark(labelIn(line));
    const starts = lines.filter(({ isStart }) => isStart);
    if (areInTurn(starts.map(({ text }) => labelIn(text)))) {
      return (line, isStart) => (isStart ? nameMark(labelIn(line)) : undefined);
    }
  }
  return undefined;
}

/** Which roles labels tell. "You" is a person, but opposite "Me" whoever answers, unless somebody else does. */
function rolesIn(labels: readonly (Named | undefined)[]): (name: string) => Role | undefined {
  const isThere = (isOne: (name: string) => boolean) => labels.some((label) => label && isOne(label.name));
  const isYouOther = isThere(isMe) && !isThere((name) => roleIn(name) === 'assistant');
  return (name) => (isYouOther && isYou(name) ? 'assistant' : roleIn(name));
}

const isMe = (name: string) => /^me$/i.test(name);
const isYou = (name: string) => /^you$/i.test(name);

/** Whether the first line begins with a word for somebody in a conversation, and others with none but that. */
function areOfOne(labels: readonly (Named | undefined)[]): boolean {
  const words = labels.map((label) => label?.name.toLowerCase());
  const role = roleIn(words[0] ?? '');
  return (
    (role === 'person' || role === 'assistant') &&
    words.every((word) => word === undefined || word === words[0])
  );
}

/** Most begin with a name, and at least one name comes twice. In a list of properties each is another. */
function areInTurn(labels: readonly (Named | undefined)[]): boolean {
  const names = namesIn(labels);
  return names.length * 2 > labels.length && new Set(names).size < names.length;
}

function linesOutsideOfCode(text: string): { text: string; isStart: boolean }[] {
  const fences = new Fences();
  let isStart = true;
  return text.split(/\r?\n/).flatMap((line) => {
    if (fences.isCode(line)) return [];
    const outside = { text: line, isStart };
    isStart = line.trim() === '';
    return [outside];
  });
}

function roleMark(label: Label | undefined, roleOf = roleIn): Mark | undefined {
  const role = label && roleOf(label.name);
  return role && { role, time: label.time, text: label.text };
}

function nameMark(label: Label | undefined): Mark | undefined {
  if (!label || !isPersonsName(label.name)) return undefined;
  const { name, time, text } = label;
  return roleMark(label) ?? { role: 'person', speaker: name, time, text };
}

const STAMP =
  /^\u200e?\[?(?:(\d{4}-\d\d-\d\d)|\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d\d))?(?:,? |T)?(\d{1,2}:\d\d(?::\d\d)?)(?:\s?([ap]\.?m\.?))?\]?(?:\s[-–—|])?\s+/i;
/** What programs write between the time and what happens. */
const LEVEL = /^(?:trace|debug|info|notice|warn|warning|error|fatal|critical)$/i;

/** How long after the start it was said, or when, behind the name. */
const CLOCK = /\s+[([]?\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?[)\]]?$/i;
const LONGEST_ALONE = 80;

/**
 * `Mara: …`, `[2026-12-01 10:02] Mara: …`, `1/12/26, 10:02 - Mara: …`, or `Mara Lind  0:03` in a line of its own. Of a date
 * with slashes or dots nobody knows the order.
 */
function stampedIn(line: string): Label | undefined {
  const alone = line.length > LONGEST_ALONE ? '' : line.trim();
  const withClock = CLOCK.test(alone) ? namedIn(alone.replace(CLOCK, ':')) : undefined;
  if (withClock?.text === '') return withClock;
  const [stamp, date, clock, half] = STAMP.exec(line) ?? [];
  if (stamp === undefined) return namedIn(line);
  const named = namedIn(line.slice(stamp.length));
  if (!named || LEVEL.test(named.name)) return undefined;
  const isWhole = date !== undefined && half === undefined;
  return { ...named, time: isWhole ? timeOf(`${date}T${clock?.padStart(5, '0')}`) : undefined };
}

const HEADING = /^#{1,6}\s+[^\p{L}]*(\p{L}.*?)(?:\s+said)?[\s:*_]*(?:\s[([—–-].*)?$/u;
const LONGEST_HEADING = 200;
const BOLD = /^(\*\*|__)(.{1,40}?)(?::\1(?=\s|$)|\1:(?=\s|$)|\1\s*$)(.*)$/u;

/** `## User`, `### **Assistant** (10:32)` */
function headingIn(line: string): Named | undefined {
  const name = line.length > LONGEST_HEADING ? undefined : HEADING.exec(line.trim())?.[1];
  return name === undefined ? undefined : { name, text: '' };
}

/** `**User:** …`, `**User**: …`, `**User**`, `**User (10:02):** …` */
function boldIn(line: string): Named | undefined {
  const [, , name, text = ''] = BOLD.exec(line.trim()) ?? [];
  return name === undefined ? undefined : { name: name.replace(CLOCK, ''), text: text.trim() };
}

const FENCE = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^`]*)$/;

/**
 * Tells which lines are fenced code. A fence that names a language opens one even within code: models write Markdown
 * that holds code into code, with fences of the same length.
 */
class Fences {
  readonly #open: string[] = [];

  isCode(line: string): boolean {
    const open = this.#open.at(-1);
    const [, fence, language = ''] = FENCE.exec(line) ?? [];
    if (fence === undefined) return open !== undefined;
    const isBare = language.trim() === '';
    if (open !== undefined && isBare && fence.startsWith(open)) this.#open.pop();
    else if (open === undefined || (!isBare && fence === open)) this.#open.push(fence);
    return true;
  }
}

/** Control characters that no text has; in a text that isn't in Unicode there are many replacement characters. */
function isBinary(text: string): boolean {
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)) return true;
  return (text.match(/\ufffd/g)?.length ?? 0) * 10 > text.length;
}

function isJson(text: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[{"])/.test(text) || parsed(text) !== undefined;
}
