import { expect, test } from 'vitest';
import { cutText } from './cut.ts';
import { LENGTH, longText, WORDS } from './text.testing.ts';

/** The same block of lines, numbered, as often as makes a text of some 30,000 characters. */
const many = (block: (number: number) => string) => {
  const blocks: string[] = [];
  for (let length = 0; length < 30_000; length += blocks.at(-1)?.length ?? 0) {
    blocks.push(block(blocks.length + 1));
  }
  return blocks.join('');
};

const kindsOf = (text: string) =>
  [text, text.replaceAll('\n', '\r\n'), longText(text, 5000)].map(
    (what) => cutText({ text: what, room: 5000, cost: LENGTH, tailShare: 0.4, words: WORDS })?.kind,
  );

const GO = many(
  (number) => `// load${number} reads a table. An error tells which one failed.
func load${number}(path string) (*table, error) {
	rows, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("load failed: %w", err)
	}
	var missing *missingError
	// An error here is fatal
	log.Println("error: no rows")
	return &table{rows, ErrNone}, nil
}

`,
);

const TYPESCRIPT = many(
  (number) => `/** Throws an error where there is no such file. */
export function read${number}(name: string): Row[] {
  try {
    return parse(name)
      .filter((row) => row.error === undefined)
      .map(toRow)
  } catch (error) {
    logger.warn('parsing failed', error)
    throw new ParseError('fatal: not a table')
  }
}

`,
);

const PYTHON = many(
  (number) => `def load_${number}(path):
    """Gives the rows back, or an error."""
    try:
        rows = parse(path)
    except ParseError as error:
        logger.error("failed: %s", error)
        errors.append(error)
        raise LoadError("a fatal error") from error
    return rows


`,
);

const C = many(
  (number) => `/* an error is told by a negative number */
static int load_${number}(struct table *t, const char *path)
{
  int rc = table_open(t, path);
  if(rc) {
    failf(t, "open failed: %d", rc);
    return TABLE_ERROR; /* fatal */
  }
  return 0;
}

`,
);

const YAML = many(
  (number) => `  check-${number}:
    runs-on: any
    steps:
      - name: fail on any error
        run: ./check --failed
        if: failed
`,
);

const MARKDOWN = many(
  (number) => `## What to do about case ${number}

If the table can't be read, an error is thrown that names the line on which parsing failed, and the call
ends. Look at [the list of errors](errors.md) for what each of them means:

- **fatal**: the file is damaged
- **failed**: the file is another's

`,
);

const MANUAL = many(
  (number) => `OPTIONS OF GROUP ${number}
       -t     Tell of each error as it occurs, and go on with what is left of the table
              unless it is a fatal error, after which nothing can be read.

EXIT STATUS
       The exit status is two if reading failed, and one if there was no error but
       nothing was found either.

`,
);

/** A word that no other number gives. */
const word = (number: number) => String(number).replace(/\d/g, (digit) => 'bacodufize'.charAt(Number(digit)));

const LICENCE = many(
  (number) => `   In no event shall the ${word(number)} be liable for any failure of the work, or for
   ${word(9 * number)} in it, even if they have been told of an error. The work comes as it is; should
   ${word(8 * number)} prove to have failed, you bear the cost of what has to be done about that,
   ${word(7 * number)} the law of the place says otherwise.

   ${word(6 * number)} passes it on has to leave these terms where they stand, and may add others
   ${word(5 * number)} don't contradict them. A failure to do so ends what these terms allow.

`,
);

const SHELL = many(
  (number) => `while [ $# -gt 0 ]; do
  case "$1" in
    --table-${number})
      [ -n "$2" ] || fail "error: a table has to follow"
      table="$2"
      shift 2
      ;;
    --help)
      usage
      exit 0
      ;;
    *)
      echo "fatal: failed to make sense of $1" >&2
      exit 2
  esac
done

`,
);

const TSX = many(
  (number) => `export default function Page${number}() {
  const { data, error } = useTable(${number});
  if (error) return <Alert title="Error">No table</Alert>;
  return (
    <Stack gap="lg">
      <Text c="dimmed" size="xs">
        Reading failed
      </Text>
      {data.rows.map(({ name, failed }) => (
        <Row key={name} isFailed={failed}>
          {name}
        </Row>
      ))}
    </Stack>
  );
}

`,
);

const LISTS = many(
  (number) => `${word(number)}:
  ${word(9 * number)}: plain
  features:
    - ${word(8 * number)}.tabs
    - ${word(7 * number)}.errors
    - search.failed
  # an error is fatal
  pages:
    - Errors: errors/${word(number)}.md
    - ${word(6 * number)} failed: failed.md
`,
);

const CHANGES = many(
  (number) => `**5.${number}.0 / 2026-05-04**
- fix: an error in the second table
- failed reads are told (by Ann)
- deps: tables 2.4

`,
);

const numbered = (text: string, prefix: (line: number) => string) =>
  text.replace(/^/gm, (_, at: number) => prefix(at));

test.each([
  ['Go', GO],
  ['TypeScript', TYPESCRIPT],
  ['Python', PYTHON],
  ['C', C],
  ['numbered lines', numbered(TYPESCRIPT, (line) => `${String(line).padStart(6)}\t`)],
  ['what grep found', numbered(GO, (line) => `pkg/load.go:${line}:`)],
  ['YAML', YAML],
  ['YAML with lists', LISTS],
  ['a shell', SHELL],
  ['TSX', TSX],
  ['a licence', LICENCE],
  ['Markdown', MARKDOWN],
  ['changes under headings in bold', CHANGES],
  ['a manual page', MANUAL],
])('of %s no lines are picked that speak of errors', (_, text) => {
  expect(kindsOf(text)).toEqual(['plain', 'plain', 'plain']);
});

const infos = (number: number) => `The table number ${number} was read and all is well with it.\n`;

const PYTEST = many(
  (number) => `__________________ test_${number} __________________

    def test_${number}():
        table = load("a.csv")
        rows = table.rows()
        first = rows[0]
        assert first is not None
        second = rows[1]
>       assert first == second
E       assert 1 == 2

test_tables.py:${number}: AssertionError
`,
);

test.each([
  ['of sentences', `${many(infos)}Error: no table\n${many(infos)}`],
  [
    'with times',
    many((number) => `2026-05-04 10:00:${number} request ${number} ${number % 9 ? 'is done' : 'failed'}\n`),
  ],
  [
    'with steps',
    many((number) => `  - step ${number} is done\n${number % 9 ? '' : '  - fatal: no table\n'}`),
  ],
  [
    'of a shell',
    many(
      (number) => `+ cp a${number} b\n${number % 9 ? '' : "cp: can't stat 'a': No such file or directory\n"}`,
    ),
  ],
  ['of pytest, which quotes functions', PYTEST],
  [
    'of a Python traceback',
    many(
      (number) =>
        `  File "a.py", line ${number}, in walk\n    return walk(node)\n${number % 9 ? '' : 'ValueError: bad\n'}`,
    ),
  ],
  [
    'of javac',
    many(
      (number) =>
        `A.java:${number}: error: cannot find symbol\nint f() { return g(); }\n                 ^\n  symbol:   method g()\n  location: class A\n`,
    ),
  ],
  [
    'of statements',
    many(
      (number) =>
        `2026-05-04 10:00:${number} [7] ${number % 9 ? 'LOG:  statement: SELECT 1;' : 'ERROR:  no such table'}\n`,
    ),
  ],
  [
    'of a container being built',
    many((number) => `#12 ${number}.4 ${number % 9 ? 'Get: main amd64' : 'ERROR: no package'}\n`),
  ],
  [
    'of files that are copied',
    many((number) => `${number % 9 ? '' : 'copy: error: denied\n'}${number}/table-${number}.txt\n`),
  ],
  [
    'of TAP',
    many(
      (number) =>
        `# Subtest: adds ${number}\n${number % 9 ? 'ok' : 'not ok'} ${number} - adds ${number}\n  ---\n  duration_ms: 0.1\n  type: 'test'\n  ...\n`,
    ),
  ],
  [
    'of rustc',
    many(
      (number) =>
        `error[E0425]: cannot find value\n  --> src/a.rs:${number}:9\n   |\n${number} | let a = b;\n   |         ^ not found\n\n`,
    ),
  ],
  [
    'that start as code and end as none',
    GO + many((number) => `request ${number} ${number % 9 ? 'is done' : 'failed'}\n`),
  ],
])('of a log %s they are', (_, text) => {
  expect(kindsOf(text)).toEqual(['log', 'log', 'log']);
});

test('a giant word takes no longer than others', () => {
  const giant = `${"'".repeat(3000)}1`;
  const text = many((number) => `# Chapter ${number}\n\nand so on and on to ${giant}\n\n`);
  expect(kindsOf(text)).toEqual(['plain', 'plain', 'plain']);
});

test.each([
  ['a Markdown table', '# T\n\n| a | b |\n|---|---|\n', (row: number) => `| row ${row} | error ${row} |`],
  [
    'CSV with quotes that are not doubled',
    'id,name,date,subject\n',
    (row: number) =>
      `${row},"name ${row}",2024-01-01,"${row % 20 === 5 ? 'Revert "an error" again' : `fix error ${row}`}"`,
  ],
])('%s is no log', (_, header, rowOf) => {
  const rows = Array.from({ length: 3000 }, (_, row) => `${rowOf(row)}\n`).join('');
  const result = cutText({ text: header + rows, room: 3000, cost: LENGTH, tailShare: 0.4, words: WORDS });
  expect(result?.text).not.toMatch(/^\d+: /m);
  expect(result?.kind).toBe('plain');
});

const METRICS = many((number) => {
  const name = `http_${number}_errors_total`;
  return `# HELP ${name} Requests that failed, an error each.\n# TYPE ${name} counter\n${name}{code="500",job="a b"} ${number}\n${name}{code="error"} 1.5e+06 1700000000000\n`;
});
const HISTORY = many(
  (number) => `commit ${String(number).padStart(40, 'abcdef')}
Author: Somebody <somebody@example.com>
Date:   Mon Nov 2 10:00:00 2026 +0100

    fix: ${number} errors that failed

 src/error-${number}.ts         | 12 ++++++------
 test/fatal.test.ts | Bin 0 -> 120 bytes
 2 files changed, 6 insertions(+), 6 deletions(-)

`,
);

test.each([
  ['metrics', METRICS],
  ['a history with its files', HISTORY],
  ['a history in colours', HISTORY.replace(/^commit .*$/gm, '\u001b[33m$&\u001b[m')],
])('%s are plain text', (_, text) => {
  expect(kindsOf(text)).toEqual(['plain', 'plain', 'plain']);
});
