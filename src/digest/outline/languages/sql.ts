import type { Outline } from '../outline.ts';
import { Builder } from '../text/builder.ts';

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:''|\\.|[^'\\])*(?:'|$)|"(?:""|[^"])*(?:"|$)|`[^`]*(?:`|$)|\[[^\]\n]{0,200}\]|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|[\w$@#.]+|\n|[^\s\w]/g;
const MADE =
  /^(?:TABLE|VIEW|FUNCTION|PROCEDURE|PROC|TRIGGER|INDEX|TYPE|DOMAIN|SEQUENCE|SCHEMA|DATABASE|EXTENSION|POLICY|ROLE|USER|RULE|AGGREGATE|MACRO|PACKAGE|EVENT|STREAM)$/;
const WITH_BLOCKS = /^(?:FUNCTION|PROCEDURE|PROC|TRIGGER|PACKAGE|EVENT)$/;
const NOT_COLUMNS =
  /^(?:CONSTRAINT|PRIMARY|FOREIGN|UNIQUE|CHECK|KEY|INDEX|LIKE|EXCLUDE|FULLTEXT|SPATIAL|PERIOD|PARTITION)$/i;
const COMMENT = /^[ \t]*(?:--|\/?\*)/;
/** Commands of psql end with their line. */
const META = /^[ \t]*\\.*$/gm;
const IMPORT = /^[ \t]*(?:\\ir?|\\include|source|@@?)[ \t]+\S/i;

interface Token {
  readonly text: string;
  readonly row: number;
}

/** What statements create, and the columns of tables. */
export function sql(text: string): Outline {
  const lines = text.split('\n');
  const builder = new Builder(lines);
  lines.forEach((line, row) => {
    if (IMPORT.test(line)) builder.import(row, row + 1);
  });
  for (const statement of statementsOf(tokensOf(text.replace(META, '')))) define(statement, builder);
  return builder.outline();
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let row = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token !== '\n' && !token.startsWith('--') && !token.startsWith('/*'))
      tokens.push({ text: token, row });
    for (let at = token.indexOf('\n'); at >= 0; at = token.indexOf('\n', at + 1)) row++;
  }
  return tokens;
}

/** Tokens between semicolons; blocks from BEGIN to END are kept together where statements have them. */
function* statementsOf(tokens: readonly Token[]): Generator<Token[]> {
  let statement: Token[] = [];
  let depth = 0;
  let hasBlocks = false;
  for (const [index, token] of tokens.entries()) {
    const word = token.text.toUpperCase();
    const isAlone = tokens[index - 1]?.row !== token.row && tokens[index + 1]?.row !== token.row;
    if ((word === 'GO' || word === '/') && isAlone) {
      yield statement;
      [statement, depth, hasBlocks] = [[], 0, false];
      continue;
    }
    statement.push(token);
    if (statement.length < 8 && WITH_BLOCKS.test(word) && isCreate(statement)) hasBlocks = true;
    if (hasBlocks) {
      const before = tokens[index - 1]?.text.toUpperCase();
      if ((word === 'BEGIN' || word === 'CASE') && before !== 'END') depth++;
      else if (word === 'END' && !/^(?:IF|LOOP|WHILE|REPEAT|FOR)$/i.test(tokens[index + 1]?.text ?? ''))
        depth--;
    }
    if (word === ';' && depth <= 0) {
      yield statement;
      [statement, depth, hasBlocks] = [[], 0, false];
    }
  }
  yield statement;
}

const isCreate = (statement: readonly Token[]): boolean =>
  /^(?:CREATE|ALTER)$/i.test(statement[0]?.text ?? '');

function define(statement: readonly Token[], builder: Builder): void {
  const first = statement[0];
  const last = statement.at(-1);
  if (!first || !last || !/^CREATE$/i.test(first.text)) return;
  const made = statement.findIndex(({ text }, index) => index < 8 && MADE.test(text.toUpperCase()));
  if (made < 0) return;
  let at = made + 1;
  while (/^(?:BODY|CONCURRENTLY|IF|NOT|EXISTS|USER|MAPPING)$/i.test(statement[at]?.text ?? '')) at++;
  const name = nameAt(statement, at);
  if (!name) return;
  const kind = statement[made]?.text.toUpperCase();
  const end = last.row + 1 + (last.text.match(/\n/g)?.length ?? 0);
  const from = builder.commentsAbove(first.row, COMMENT);
  const opening = statement.findIndex(
    ({ text }, index) => index >= at && (text === '(' || /^AS$/i.test(text)),
  );
  const isTable = kind === 'TABLE' && statement[opening]?.text === '(';
  const head = isTable ? statement[opening] : headEnd(statement, at, kind);
  const signature = { start: first.row, end: Math.min(end, (head?.row ?? end - 1) + 1) };
  const body = isTable ? undefined : { start: signature.end, end };
  builder.define({ name, signature, end, body, depth: 0, from });
  if (isTable) columns(statement, opening, end, builder);
}

/** Where what a statement creates has been named and its body begins. */
function headEnd(statement: readonly Token[], from: number, kind: string | undefined): Token | undefined {
  const stops = kind === 'TYPE' || kind === 'INDEX' ? /^$/ : /^(?:AS|IS|BEGIN|EXECUTE|RETURN)$/i;
  return statement.find(({ text }, index) => index > from && stops.test(text));
}

/** A name, of which only the last part counts: `"a"."b"` is `b`. */
function nameAt(statement: readonly Token[], at: number): string | undefined {
  let name = statement[at]?.text;
  for (let next = at + 1; statement[next]?.text.startsWith('.'); next++) {
    const dotted = statement[next]?.text ?? '';
    name = dotted === '.' ? statement[++next]?.text : dotted;
  }
  const last = name?.split(/\.(?=[^"`\]]*$)/).at(-1);
  const bare = last?.replace(/^["`[]|["`\]]$/g, '');
  return bare && /[\p{L}\d_]/u.test(bare) ? bare : undefined;
}

function columns(statement: readonly Token[], opening: number, tableEnd: number, builder: Builder): void {
  let depth = 0;
  let first: Token | undefined;
  for (let index = opening; index < statement.length; index++) {
    const token = statement[index] as Token;
    if (token.text === '(') depth++;
    else if (token.text === ')') depth--;
    const ends = depth === 0 || (depth === 1 && token.text === ',');
    if (ends && first) {
      const name = nameAt([first], 0);
      const end = Math.min(tableEnd, (statement[index - 1]?.row ?? token.row) + 1);
      const signature = { start: first.row, end };
      const from = builder.commentsAbove(first.row, COMMENT);
      if (name && !NOT_COLUMNS.test(first.text)) builder.define({ name, signature, end, depth: 1, from });
    }
    if (depth === 0) return;
    if (depth === 1 && (token.text === '(' || token.text === ',')) first = statement[index + 1];
  }
}
