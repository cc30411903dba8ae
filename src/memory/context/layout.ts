import { type Members, ROOT } from './members.ts';

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** How the members of a section are laid out. */
export interface Layout {
  /** Between a member and the key of the next one. */
  readonly separator: string;
  /** Between a key and its value. */
  readonly colon: string;
  /** Between a brace and a member on the same line. */
  readonly padding: string;
  /** What is before a key on its line; `undefined` if that is more than white space. */
  readonly indent: string | undefined;
}

/** How a text is laid out as a whole. */
export interface Habits {
  readonly lineEnd: string;
  /** What each level is indented by. */
  readonly step: string;
  readonly colon: string;
}

/** What is usual in a text, as its first line end, its first key and the last one of the root show. */
export function habitsOf(members: Members): Habits {
  const first = members.keyStarts[ROOT + 1];
  const last = members.of(ROOT).at(-1);
  return {
    lineEnd: lineEndOf(members.bytes),
    step: (first === undefined ? undefined : indentAt(members, first)) ?? '  ',
    colon: last === undefined ? ': ' : colonOf(members, last),
  };
}

/** How a new member of a section is to be laid out: as its last ones are, or by habit. */
export function layoutOf(members: Members, section: number, habits: Habits): Layout {
  const present = members.of(section);
  const [first] = present;
  const last = present.at(-1);
  if (first === undefined || last === undefined) return layoutOfEmpty(members, section, habits);
  const indent = indentAt(members, members.keyStarts[last] as number);
  const colon = colonOf(members, last);
  const before = present.at(-2);
  const gap = members.text((members.starts[section] as number) + 1, members.keyStarts[first] as number);
  return {
    separator:
      before === undefined
        ? separatorFor(indent, colon, habits)
        : separatorOf(members.text(members.ends[before] as number, members.keyStarts[last] as number)),
    colon,
    padding: hasLineEnd(gap) ? '' : gap,
    indent,
  };
}

/** How the members of a new section within one of that layout are laid out. */
export function layoutWithin({ indent, colon, padding }: Layout, habits: Habits): Layout {
  const inner = indent === undefined ? undefined : indent + habits.step;
  return { separator: separatorFor(inner, colon, habits), colon, padding, indent: inner };
}

/** Lines for each of its members, unless the section is on one line with others. */
function layoutOfEmpty(members: Members, section: number, habits: Habits): Layout {
  const inside = members.text(members.starts[section] as number, members.ends[section] as number);
  const own = indentAt(members, members.keyStarts[section] as number);
  const outer = own ?? (section === ROOT || hasLineEnd(inside) ? '' : undefined);
  return layoutWithin({ separator: '', colon: habits.colon, padding: '', indent: outer }, habits);
}

function separatorFor(indent: string | undefined, colon: string, { lineEnd }: Habits): string {
  if (indent !== undefined) return `,${lineEnd}${indent}`;
  return colon.endsWith(' ') ? ', ' : ',';
}

/** A comma and the white space around it, but for empty lines. */
function separatorOf(between: string): string {
  return between.split(',').map(lastLine).join(',');
}

function lastLine(space: string): string {
  const at = Math.max(space.lastIndexOf('\n'), space.lastIndexOf('\r'));
  const isPair = space[at] === '\n' && space[at - 1] === '\r';
  return space.slice(Math.max(0, isPair ? at - 1 : at));
}

function colonOf(members: Members, member: number): string {
  const colon = members.text(members.keyEnds[member] as number, members.starts[member] as number);
  return hasLineEnd(colon) ? ': ' : colon;
}

/** What is before a place on its line, if that is white space alone. */
function indentAt({ bytes }: Members, at: number): string | undefined {
  let from = at;
  while (bytes[from - 1] === SPACE || bytes[from - 1] === TAB) from--;
  const isAtLineStart = from === 0 || bytes[from - 1] === LF || bytes[from - 1] === CR;
  return isAtLineStart ? bytes.toString('latin1', from, at) : undefined;
}

function lineEndOf(bytes: Buffer): string {
  const at = bytes.indexOf(LF);
  if (at < 0) return bytes.includes(CR) ? '\r' : '\n';
  return bytes[at - 1] === CR ? '\r\n' : '\n';
}

function hasLineEnd(text: string): boolean {
  return /[\r\n]/.test(text);
}
