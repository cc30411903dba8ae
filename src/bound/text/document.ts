import { isStackFrame, rankOf } from '../../json/signs.ts';
import type { Source } from './source.ts';

/** How much of either end of a text is looked at, in UTF-16 code units. */
const SAMPLE = 8000;

/** Of source code at least so many of the lines look like it; of a tool's output that quotes some, fewer do. */
const CODE_SHARE = 0.6;

/** Of a document at least so many of the lines are prose, markup or code. */
const DOCUMENT_SHARE = 0.4;

/** Of a log more than so many of the lines start with a time or a level. */
const LOG_SHARE = 0.5;

/** Of a text that somebody wrote at least so many lines start unlike any other; those of a log start alike. */
const STARTS_SHARE = 0.3;

const COLOURS = /\u001b\[[\d;]*m/g;

/** How much of a line is looked at, in UTF-16 code units. */
const LONGEST_LINE = 500;

/** A line of prose has at least so many words, and so large a share of them are made of letters. */
const LEAST_WORDS = 6;
const WORD_SHARE = 0.7;

/** Numbers of lines, as `cat -n`, `grep -n` and tools that read files write them. */
const LINE_NUMBER = /^(?:[^\s:]+:)?\s*\d+[\t:|│→-]\s*/;

/** How lines of source code, markup and configuration look, whatever the language. */
const CODE = [
  /[;{([,\\]$|[=-]>$/, // a statement or a list that goes on
  /^\s*(?:[})\]]|\/\/|\/\*|\*(?:\s|\/|$)|#(?!\d)|--\s|"""|'''|<[/!?]?[a-z]|\.\w+\(|@\w|"[^"]*"$)/i, // an end, a comment, a tag, a chain, a string
  /^\s*(?:import|from|export|const|let|var|function|func|fn|def|class|struct|interface|type|pub|use|package|if|elif|else|for|while|return|try|except|raise|throw|switch|case|match|async|await|yield|public|private|protected|static|void|int|val|fun|impl|enum|mod|namespace|using|assert|break|continue|pass|with)\b/,
  /^\s*[\w.$[\]*&"'-]+(?:: ?[^=:]+)? (?::=|[-+*|]?=) \S|^\s*\w+=["'$(]/, // an assignment
  /^\s*[\w.:!>-]+\(.*\)\??$/, // a call
  /^\s*(?:fi|done|esac|local|echo|exit|shift|set|\[\[?) |^\s*(?:fi|done|esac|else)$|; (?:then|do)$|(?: &&| \|\|)$| \|\| \w/, // a shell's
  /^\s+(?:- )?["']?[a-z][\w.-]*["']?: \S|^\s*(?:- )?[\w.-]+:$/, // a key, as in YAML
  /^[a-z_][\w:]*(?:\{.*\})? (?:[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|Inf)|NaN)(?: \d+)?$/, // a sample of a metric, as Prometheus reads it
];

/** Markdown's lists, quotes, tables, fences and links. */
const MARKUP = /^\s*(?:[-*+] |\d+\. |> |\|.*\||```)|\]\(/;

/** A row of a table: of Markdown and command lines of databases, or of CSV, whatever its quotes are. */
const TABLE_ROW = /^\s*\|.*\|$|^(?:"[^"]*"|[^\s",;]+)([,;])(?:"[^"]*"|[^\s",;]+)\1\S/;

/** Lines of git's history: of a commit's head, its message and the files that it changes. */
const HISTORY =
  /^(?:commit [\da-f]{7,64}\b|(?:Merge|Author|AuthorDate|Commit|CommitDate|Date): | {4}\S| .* \| +(?:\d+ ?[-+]*|Bin\b.*)$| \d+ files? changed,)/;
/** What only such a history has. */
const COMMIT = /^commit [\da-f]{40,64}\b|^ .* \| +\d+ [-+]+$/m;

/** Headings behind an empty line: Markdown's, with a number of `#`, underlined or in bold, and those of manual pages. */
const HEADING =
  /(?:^|\n\n)(#{1,6} \S.*|\*\*\S.*\*\*(?=\n)|\S.*\n([=~-])\2+(?=\n)|[A-Z][A-Z ,&-]*(?=\n {2,}\S))/g;

/** Times and levels, as they stand at the start of a log's lines or behind few words. */
const LOGGED =
  /^(?:\S+ +){0,4}(?:[[(]?(?:\w+=)?(?:\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|\d\d\/[A-Z][a-z]{2}\/\d{4}:|\[? *\d+\.\d+\])|\W?(?:TRACE|DEBUG|INFO|NOTICE|LOG|WARN(?:ING)?|ERROR|FATAL)\b|level=)/;

/** Lines of pytest's reports, which quote whole functions. */
const REPORT = /^(?:E {3,}\S|={3,} .+ ={3,}$)/m;

/** What a line starts with, behind the sign of a list. */
const START = /^\s*(?:[-*+] )?([^\s:(]*)/;

const SENTENCE_END = /[.:;!?]["')]*$/;
const SENTENCE_REST = /^\s*["'(`[]?\p{Ll}/u;

/** A longer word is none. */
const LONGEST_WORD = 40;
const WORD = /^["'`*_([]*[\p{L}'’-]+["'`*_)\]]*[.,:;!?]*$/u;

/**
 * Whether a text is source code, configuration, a table, prose or a document with headings, as both of its ends look: a line of it that
 * speaks of errors tells of nothing that happened. Logs, test reports and stack traces are none, even those that
 * quote code.
 */
export function isDocument({ head, tail }: Source): boolean {
  return [head.slice(0, SAMPLE), tail.slice(-SAMPLE)].every(looksWritten);
}

function looksWritten(end: string): boolean {
  const sample = end.replaceAll('\r\n', '\n').replaceAll(COLOURS, '');
  if (REPORT.test(sample)) return false;
  // The outermost lines may be cut.
  const all = sample.split('\n').slice(1, -1);
  const lines = all.map(withoutNumber).filter((line) => line !== '');
  const shareOf = (isSome: (line: string, index: number) => boolean) =>
    lines.filter(isSome).length / lines.length;
  if (all.filter((line) => LOGGED.test(line)).length > lines.length * LOG_SHARE) return false;
  if (shareOf(isCode) >= CODE_SHARE || shareOf(isTableRow) >= CODE_SHARE) return true;
  if (COMMIT.test(sample) && shareOf((line) => HISTORY.test(line)) >= CODE_SHARE) return true;
  const isWritten = (isText: (line: string, index: number) => boolean) =>
    shareOf((line, index) => isCode(line) || MARKUP.test(line) || isText(line, index)) >= DOCUMENT_SHARE;
  if (hasHeading(sample)) return isWritten(isProse);
  return areVaried(lines) && isWritten((_, index) => isWithinProse(lines, index));
}

function withoutNumber(line: string): string {
  return line.slice(0, LONGEST_LINE).replace(LINE_NUMBER, '').trimEnd();
}

function isCode(line: string): boolean {
  return !isStackFrame(line) && CODE.some((pattern) => pattern.test(line));
}

function isTableRow(line: string): boolean {
  return TABLE_ROW.test(line);
}

function isProse(line: string): boolean {
  const words = line.trim().split(/\s+/);
  return words.length >= LEAST_WORDS && words.filter(isWord).length >= words.length * WORD_SHARE;
}

function isWord(text: string): boolean {
  return text.length <= LONGEST_WORD && WORD.test(text);
}

/** Whether a line is of a sentence that takes several: it goes on in the next one, or did so in the one before. */
function isWithinProse(lines: readonly string[], index: number): boolean {
  return goesOn(lines[index], lines[index + 1]) || goesOn(lines[index - 1], lines[index]);
}

function goesOn(line = '', next = ''): boolean {
  return isProse(line) && !SENTENCE_END.test(line) && SENTENCE_REST.test(next);
}

/** Whether lines start with different words, numbers apart. */
function areVaried(lines: readonly string[]): boolean {
  const starts = lines.map((line) => START.exec(line)?.[1]?.replace(/\d+/g, '0'));
  return new Set(starts).size >= lines.length * STARTS_SHARE;
}

function hasHeading(sample: string): boolean {
  return [...sample.matchAll(HEADING)].some(([, heading = '']) => rankOf(heading) === undefined);
}
