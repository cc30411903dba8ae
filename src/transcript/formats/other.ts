/** What a text plainly is that holds no conversation, for messages; `undefined` for any that may hold one. */
export function otherKindOf(text: string): string | undefined {
  if (PAGE.test(text)) return 'an HTML page';
  if (XML.test(text)) return 'XML';
  if (/^\s*[{[]/.test(text) || text.includes('\0')) return undefined;
  const lines = text.split(/\r?\n/, MOST_LINES).filter((line) => line.trim() !== '');
  if (isTable(lines)) return 'a table';
  if (SCRIPT.test(text) || isCode(text)) return 'source code';
  return undefined;
}

/** So much of a file tells what it is. */
const MOST_LINES = 200;

const COMMENTS = String.raw`^(?:\s{0,100}<!--(?:[^-]|-(?!->)){0,2000}-->){0,9}\s{0,100}`;
const PAGE = new RegExp(`${COMMENTS}<(?:!doctype html|html|head|body)[\\s>]`, 'i');
const XML = new RegExp(`${COMMENTS}<(?:\\?xml|svg|rss|feed|!doctype)[\\s>]`, 'i');

const DELIMITERS = [',', ';', '\t'];
const LEAST_ROWS = 3;
const LEAST_CELLS = 3;
const QUOTED = /"(?:[^"]|"")*"/g;
const COLUMN = /^\p{L}[^.,;:!?]{0,40}$/u;

/** Whether lines have the same number of cells, but for the last, which may be cut, and the first one names columns. */
function isTable(lines: readonly string[]): boolean {
  const rows = lines.length > LEAST_ROWS ? lines.slice(0, -1) : lines;
  const head = (rows[0] ?? '').replace(/"/g, '');
  if (rows.length < LEAST_ROWS) return false;
  return DELIMITERS.some((delimiter) => {
    const columns = head.split(delimiter);
    const areNamed = columns.length >= LEAST_CELLS && columns.every((column) => COLUMN.test(column));
    return areNamed && rows.every((row) => cellsIn(row, delimiter) === columns.length);
  });
}

const cellsIn = (line: string, delimiter: string): number =>
  line.replace(QUOTED, 'x').split(delimiter).length;

const SCRIPT = /^#! ?\/[\w./-]+/;
const FENCE = /^ {0,3}(?:```|~~~)/m;
const LEAST_CODE = 3;
const MOST_PROSE = 1 / 3;

/** Whether most lines are statements of a programming language; comments, texts of several lines and what ends blocks aside. */
function isCode(text: string): boolean {
  if (FENCE.test(text)) return false;
  const lines = text
    .replace(/("""|''')[\s\S]*?(?:\1|$)/g, '$1')
    .split(/\r?\n/, MOST_LINES)
    .filter((line) => !NEITHER.test(line));
  const code = lines.filter((line) => STATEMENT.test(line)).length;
  return code >= LEAST_CODE && lines.length - code <= lines.length * MOST_PROSE;
}

const NEITHER = /^\s*(?:$|#(?!include\b)|\/\/|\/?\*|--|["'`)\]}{,;]+$|[\])}]+[,;]?$)/;
const STATEMENT = new RegExp(
  [
    String.raw`[{};]$|\\$`,
    String.raw`^\s*@[\w.]+(?:\(.*)?$`,
    String.raw`^\s*(?:async )?(?:def|class|for|while|if|elif|else|try|except|with|finally)\b.*[:(](?:\s*#.*)?$`,
    String.raw`^\s*(?:import [\w.*{]+(?: as \w+|,.*| from .*)?$|from [\w.]+ import |#include |package [\w.]+$|use [\w:]+;|require[ (]['"])`,
    String.raw`^\s+(?:return|raise|yield|assert|await|pass|break|continue)\b`,
    String.raw`^(?:[ \t]|[)\]}]).*[([{,:]$|^[ \t]+['"([]|^[)\]}]`,
    String.raw`\w\(\w*[)"'.,[]|[=!<>]=|[-=]>|::|\w ?[-+*/|&:?]?= ?[\w"'([{-]`,
    String.raw`^\s*(?:export |pub |public |private |static |async )*(?:function|fn|func|interface|type|enum|struct|impl|class|module|namespace)\b[^.]*[({=]?$`,
  ].join('|'),
);
