import { parse } from 'node:path';
import { parseKey, splitKey, writeKey } from '../../memory/context/keys.ts';
import { cutHead } from '../../text/cut.ts';
import type { Candidate } from './fact.ts';

/** In UTF-16 code units. */
const LONGEST_SEGMENT = 64;

/** No facts are put into sections with longer names, nor with more segments than so many dots allow. */
const LONGEST_SECTION = 60;

/** Where facts go of which nobody can tell what they are about. */
const INBOX = 'inbox';

/** What facts about who speaks are about, where nobody is named. */
const SPEAKER = 'user';

/** Words that name nothing by themselves: as the first segment of a key they would mix up what doesn't belong together. */
const GENERIC: ReadonlySet<string> = new Set(
  `
  address age amount assistant attribute author budget category city command comment company config contact content
  cost count country current data date deadline description detail details due duration email entity event fact facts
  file goal id info information it item key kind language link list location message model name none note null number
  object other owner people person phone place port preference price priority property purpose reason result role
  setting settings something stage state status subject summary tag task team text that they thing this time title
  todo tool topic transcript type undefined unknown update url value version we you
  `
    .trim()
    .split(/\s+/),
);

/** A day, or a moment, names nothing either: turns are shown with theirs. */
const MOMENT = /^\d{4}_\d\d_\d\d(?:_|t\d|$)/;

const isGeneric = (name: string): boolean => GENERIC.has(name) || MOMENT.test(name);

type Named = Pick<Candidate, 'subject' | 'attribute'>;

/** Makes dot paths of subjects and attributes, so that facts about the same thing land under the same key. */
export class Keys {
  /** Keys by their words, in one spelling: all segments, and the last two of keys that have more. */
  readonly #whole = new Map<string, string>();
  readonly #tails = new Map<string, Set<string>>();
  readonly #sections = new Set<string>();

  /** @param existing Keys that memory has; those that `parseKey` refuses are passed over. */
  constructor(existing: Iterable<string> = []) {
    for (const key of existing) if (isKey(key)) this.#learn(key);
  }

  /**
   * The key of a candidate, which `parseKey` accepts and which has at least two segments: an existing one, or one this made
   * before, if it is the same but for case, plural and separators.
   */
  of({ subject, attribute }: Named): string {
    const words = spelling([subject, attribute]);
    const [tail, ...others] = isOfAnyone(subject) ? [] : (this.#tails.get(words) ?? []);
    const known = this.#whole.get(words) ?? (others.length === 0 ? tail : undefined);
    if (known !== undefined) return known;
    const key = writeKey(this.#segments(subject, attribute));
    this.#learn(key);
    return key;
  }

  #segments(subject: string, attribute: string): string[] {
    const about = this.#path(subject);
    const first = about[0] ?? '';
    const what = withoutPrefix(segment(attribute, { isAttribute: true }), about.at(-1) ?? '') || 'note';
    if (first === '') return [INBOX, what];
    return about.length === 1 && isGeneric(first) ? [INBOX, first, what] : [...about, what];
  }

  /** The segments of a subject: it is a path if all of it but what comes after the last dot is a section that exists. */
  #path(subject: string): string[] {
    const name = subject.trim();
    const dot = name.lastIndexOf('.');
    const section = name.slice(0, dot);
    const rest = segment(name.slice(dot + 1));
    const isPath = dot > 0 && dot < LONGEST_SECTION && rest !== '' && this.#sections.has(section);
    if (isPath) return [...splitKey(section), rest];
    const only = segment(name.replace(ARTICLE, ''));
    return only === '' ? [] : [only];
  }

  #learn(key: string): void {
    const segments = splitKey(key);
    if (segments.length < 2) return;
    const words = spelling(segments);
    if (!this.#whole.has(words)) this.#whole.set(words, key);
    for (let end = 1; end < segments.length; end++) this.#sections.add(writeKey(segments.slice(0, end)));
    if (segments.length === 2) return;
    const tail = spelling(segments.slice(-2));
    this.#tails.set(tail, (this.#tails.get(tail) ?? new Set()).add(key));
  }
}

/** Whether a subject names nothing by itself, or whoever speaks: much has a part of such a name. */
function isOfAnyone(subject: string): boolean {
  const name = segment(subject.replace(ARTICLE, ''));
  return name === SPEAKER || isGeneric(name);
}

/** A key of the inbox with the name of the file it is from in it: what nobody can place is never one with another file's. */
export function inInboxOf(path: string, key: string): string {
  const [first, ...rest] = splitKey(key);
  if (first !== INBOX) return key;
  const { name } = parse(path);
  return writeKey([INBOX, segment(name) || 'file', ...rest]);
}

/** The key a candidate would have if nothing existed, such as for a message about it. */
export function plainKey(named: Named): string {
  return new Keys().of(named);
}

const ARTICLE = /^(?:the|an?|our|my)\s+/i;

const NAME_PART = /(?:(?<!\S)\.)?[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:\.[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*[+#]*/gu;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/gu;
const APOSTROPHE = /(?<=\p{L})['’](?=\p{L})/gu;
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/gu;
const CAMEL_CASE = /^\p{Ll}[\p{L}\p{N}]*$/u;

/** More of a name is never looked at; in UTF-16 code units. */
const LONGEST_NAME = 1000;

/** A name in snake case, in its own script, with its inner dots; empty if there is nothing to name in it. */
function segment(name: string, { isAttribute = false } = {}): string {
  const words = partsOf(isAttribute && CAMEL_CASE.test(name) ? name.replace(HUMP, '_') : name);
  const cut = cutHead(words.join('_'), LONGEST_SEGMENT);
  const isMidWord = cut.length < words.join('_').length && cut.includes('_');
  const whole = (isMidWord ? cut.slice(0, cut.lastIndexOf('_')) : cut).replace(/[_.]+$/, '');
  return whole === '' || isKey(writeKey([whole])) ? whole : `${whole}_`;
}

function partsOf(name: string): string[] {
  return (
    name
      .slice(0, LONGEST_NAME)
      .toWellFormed()
      .normalize('NFKC')
      .toLowerCase()
      .replace(IGNORABLE, '')
      .replace(POSSESSIVE, '')
      .replace(APOSTROPHE, '')
      .match(NAME_PART) ?? []
  );
}

function withoutPrefix(what: string, about: string): string {
  return about !== '' && what.startsWith(`${about}_`) ? what.slice(about.length + 1) : what;
}

/** Segments in one spelling: without case, plural and separators within them. */
function spelling(segments: readonly string[]): string {
  return segments
    .flatMap((text) => text.replace(ARTICLE, '').replace(HUMP, '_').split('.'))
    .map((text) => partsOf(text).map(singular).join(''))
    .join('.');
}

function singular(word: string): string {
  if (word.length <= 3 || /(?:ss|us|is)$/.test(word)) return word;
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, '');
}

function isKey(key: string): boolean {
  try {
    parseKey(key);
    return true;
  } catch {
    return false;
  }
}
