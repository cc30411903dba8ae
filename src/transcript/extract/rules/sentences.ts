import { visibleName } from '../../../text/visible.ts';
import { opening } from './rule.ts';

/** Longer sentences are no statements of a person; in UTF-16 code units. */
export const LONGEST_SENTENCE = 400;

/** Shorter ones say nothing that could be kept. */
const LEAST_SENTENCE = 8;

export interface Sentence {
  /** In one line, without emphasis and what leads into it. */
  readonly said: string;
  /** As the turn has it. */
  readonly quote: string;
}

/**
 * The sentences of a turn in which somebody states something: no questions, and nothing of what is pasted or quoted:
 * code, logs, tables, headings, citations, text between quotation marks, whole documents.
 */
export function* sentencesOf(text: string): Generator<Sentence> {
  if (isDocument(text)) return;
  for (const paragraph of paragraphsOf(text)) {
    let isQuoted = false;
    for (const quote of splitSentences(paragraph)) {
      const began = isQuoted || OPENS_WITH_QUOTE.test(quote);
      isQuoted = endsInQuote(quote, isQuoted);
      const isOfLength = quote.length >= LEAST_SENTENCE && quote.length <= LONGEST_SENTENCE;
      if (began || !isOfLength || QUESTION.test(quote)) continue;
      const line = quote.replace(/\s+/g, ' ').replace(/\*{1,3}|(?<!\w)__?|__?(?!\w)/g, '');
      if (visibleName(line) === line) yield { said: line.replace(LEAD, ''), quote };
    }
  }
}

const FENCE = /^\s{0,12}(?:[-*+] )?(`{3,}|~{3,})/;
const INDENTED = /^(?: {4}|\t)/;
const ITEM = /^\s{0,12}(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
const PASTED = new RegExp(
  [
    String.raw`\s{0,8}(?:[>|#$%<{}[\]]|//|/\*|\*/|--|\+\+|>>>)`,
    String.raw`\s{0,8}@(?:(?:author|deprecated|example|param|returns?|see|since|throws|todo|type)\b|(?![\w.-]{1,40}[,:]? ))`,
    String.raw`\s*at \S+ ?\(`,
    String.raw`Traceback |Caused by:|\w*(?:Error|Exception|Warning): |(?:error|warning|info|debug|fatal|npm (?:ERR|WARN)\S*)\b ?[:[!]`,
    String.raw`\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d`,
    String.raw`(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE)\b`,
    String.raw`[\w.-]+@[\w.-]+:\S*[$#] `,
  ].join('|'),
  'y',
);
const CODE_END = /[{};]$|=>$|\\$/;

/** Stretches of prose. An item of a list is one of its own. */
function* paragraphsOf(text: string): Generator<string> {
  let paragraph: string[] = [];
  let isAfterProse = false;
  for (const line of linesOf(text)) {
    const item = ITEM.exec(line)?.[0] ?? '';
    const said = line.slice(item.length);
    const isProse: boolean = !isPasted(said, isAfterProse);
    if (paragraph.length > 0 && (!isProse || item !== '')) {
      yield paragraph.join('\n');
      paragraph = [];
    }
    if (isProse) paragraph.push(said);
    isAfterProse = isProse;
  }
  if (paragraph.length > 0) yield paragraph.join('\n');
}

/** The lines of a text, with one empty line for each line of fenced code. */
function* linesOf(text: string): Generator<string> {
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1];
    yield fence === undefined && mark === undefined ? line : '';
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
  }
}

/** Whether a text is one that was written to be read as a document, such as a README: it has several headings. */
function isDocument(text: string): boolean {
  let headings = 0;
  for (const line of linesOf(text)) if (HEADING.test(line)) headings++;
  return headings >= LEAST_HEADINGS;
}

const HEADING = /^#{1,6} \S/;
const LEAST_HEADINGS = 2;

function isPasted(line: string, isAfterProse: boolean): boolean {
  PASTED.lastIndex = 0;
  const isCode = INDENTED.test(line) && !isAfterProse;
  return /^\s*$/.test(line) || isCode || PASTED.test(line) || CODE_END.test(line);
}

/** Where a sentence may end: at a mark before a new start, or with a short line before a line that starts anew. */
const END =
  /[.!?…]["”»’)]{0,3}\s+(?!(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b)(?=["“„«(¿¡`*]{0,3}[\p{Lu}\p{N}`])|(?<=\n|^)[^\n]{1,59}\n(?=\p{Lu})/gu;
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|z\. ?B|d\. ?h|vs|cf|ca|bzw|etc|Dr|Mrs?|Ms|Prof|St|No|Nr|p\. ?ex|\p{Lu})\.\s+$/u;

function* splitSentences(paragraph: string): Generator<string> {
  let start = 0;
  for (const { 0: mark, index } of paragraph.matchAll(END)) {
    const end = index + mark.length;
    if (ABBREVIATION.test(paragraph.slice(Math.max(start, end - 12), end))) continue;
    yield paragraph.slice(start, end).trim();
    start = end;
  }
  yield paragraph.slice(start).trim();
}

const QUESTION = /[?？]["”»’)]{0,3}$|^¿/;
const OPENS_WITH_QUOTE = /^["“„«'‘]/;

/** Whether quotation marks are open after a sentence. */
function endsInQuote(sentence: string, isQuoted: boolean): boolean {
  let isOpen = isQuoted;
  for (const [mark] of sentence.matchAll(/["“”„«»]/g)) {
    isOpen = mark === '"' || mark === '“' ? !isOpen : mark === '„' || mark === '«';
  }
  return isOpen;
}

/** What people say before they come to what they say. */
const LEAD = opening(
  String.raw`(?:(?:@[\w.-]{1,40}|ok(?:ay)?|so|also|and|well|right|yes|yeah|please|hey|hi|hello|great|good|perfect|thanks|btw|by the way|fyi|(?:just )?one more thing|actually|correction|update|sorry|no(?=[,:;!.—–-])|und|also|bitte|ja|korrektur|et|alors|bon|oui|bonjour|y|entonces|vale|por favor|hola|sí)[,:;!.—–-]{0,3} +){0,4}`,
);
