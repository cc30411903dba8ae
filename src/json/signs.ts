/** How telling a line is: 0 for what ends a program, 1 for what goes wrong in it. */
export type Rank = 0 | 1;

/** What every telling line has, and others too. ASCII only, whatever its case, the same in every locale. */
export const SIGNS =
  /err|excep|fail|fatal|crit|panic|segfault|segmentation|sig(?:segv|abrt|bus|ill)|core dumped|\boom|memory|killed|backoff|uncaught|unhandled|traceback|assertion|denied|refused|timed out|not found|no such|caused by|severe|not ok|"level"|^(?:\x1b\[[\d:;]*m)*(?:[EF]\d{4} |E {3})|[✗✘✖×❌]/gim;

/** How terminals are told of colours and the like: ECMA-48's SGR. */
const COLOURS = /\x1b\[[\d:;]*m/g;

const FATAL =
  'fatal|critical|panic(?:ked)?|segfault|segmentation fault|sig(?:segv|abrt|bus|ill)|core dumped|oom(?:-?kill(?:ed|er))?|(?:out of|cannot allocate) memory|killed process|crashloopbackoff|(?:uncaught|unhandled)(?: promise)? (?:errors?|exceptions?|rejections?)|unhandledpromiserejection(?:warning)?';
const ERROR =
  'errors?|exceptions?|fail(?:ed|s|ing|ures?)?|traceback|assertion|denied|refused|timed out|command not found|no such file or directory|(?:err)?imagepull(?:backoff)?|caused by|err!|erro?(?=[\\]\\s:|])|severe(?=[\\]\\s:|])';

/** The first group is what ends a program. */
const WORDS = new RegExp(String.raw`\b(?:(${FATAL})|(?:${ERROR}))(?!\w)`, 'gi');

// Words count as such only: not within paths, URLs, names of files and options, identifiers and calls.
const IS_PART_BEFORE = /[$/\\?&-]$|[\w)]\.$/;
const IS_PART_AFTER = /^(?:[$/\\-]|\.[\w<]|::|\((?!s\)))/;

/** What is counted and isn't there, or is said not to be. Wider space is between the columns of a table. */
const IS_NONE =
  /(?:^|[^\w.,-])(?:(?:no|without|zero|0(?:(?: of |\/)\d+)?) (?:(?!such\b)[a-z-]+ )?|(?:not|never) (?:an? )?)$/i;
const IS_NOTHING =
  /^(?:\(s\))?(?: (?:count|rate|total))?["']?(?:\s*[:=]\s*| )["']?(?:0(?:\.0+)?%?(?![\w%]|\.\d)|(?:null|none|nil|false|undefined|""|''|\[\]|\{\})(?=\s*(?:$|[,;)}\]|])))/i;

/** What there may be none of; states, as of containers, stand beside numbers of other things. */
const COUNTED = /^(?:error|exception|fail|fatal|critical|panic)/i;

/** How much around a word is looked at, in characters. */
const AROUND = 40;

/** Levels of loggers (klog, glog, pino), results of tests (TAP, pytest, mocha), and names of exceptions. */
const IS_FATAL_FORM = /^F\d{4} \d\d:\d\d|"level":\s*60\b/;
const IS_ERROR_FORM = /^E\d{4} \d\d:\d\d|"level":\s*50\b|^\s*not ok \d|^E {3,}\S|^\s*[✗✘✖×❌]/;
const EXCEPTION = /(?<![\w$/\\-])[A-Z]\w*(?:Error|Exception)(?![\w$/\\-]|\.[\w<]|::|\()/;

/** A test that went well, whatever its name says. */
const PASSED = /^\s*(?:[✓✔√]|ok \d|PASS(?:ED)?\b|--- PASS)/;
const ENDS_PASSED = /(?:\.\.\. ok|\bPASSED(?:\s*\[\s*\d+%\])?)$/;
/** Code that speaks of errors: a statement, the start of a block. */
const CODE = /^\s*(?:const|return|throw|raise|def|except|\}? ?catch|if \(|\/\/|\/\*)(?:\s|\(|$)/;
/** Ansible writes its results behind one: `FAILED! => {…}`. */
const ARROW = /(?<!! )=>/;

/** How telling a line without its end is; undefined if it isn't. */
export function rankOf(line: string): Rank | undefined {
  if (isCode(line) || hasPassed(line) || isStackFrame(line)) return undefined;
  let isError = false;
  WORDS.lastIndex = 0;
  for (let found = WORDS.exec(line); found; found = WORDS.exec(line)) {
    if (!isMeant(line, found.index, WORDS.lastIndex)) continue;
    if (found[1] !== undefined) return 0;
    isError = true;
  }
  if (IS_FATAL_FORM.test(line)) return 0;
  return isError || IS_ERROR_FORM.test(line) || namesException(line) ? 1 : undefined;
}

/** Whether a word of a line, from `from` to `to`, is said of what happened. */
function isMeant(line: string, from: number, to: number): boolean {
  const before = line.slice(Math.max(0, from - AROUND), from);
  const after = line.slice(to, to + AROUND);
  if (IS_PART_BEFORE.test(before.slice(-2)) || IS_PART_AFTER.test(after)) return false;
  return !COUNTED.test(line.slice(from, to)) || !(IS_NONE.test(before) || IS_NOTHING.test(after));
}

function namesException(line: string): boolean {
  return (line.includes('Error') || line.includes('Exception')) && EXCEPTION.test(line);
}

function hasPassed(line: string): boolean {
  return PASSED.test(line) || ENDS_PASSED.test(line.slice(-AROUND).trimEnd());
}

function isCode(line: string): boolean {
  return /[;{]\s*$/.test(line.slice(-2)) || ARROW.test(line) || CODE.test(line);
}

/** A line as it reads without the colours it is shown in. */
export function withoutColours(line: string): string {
  return line.includes('\x1b') ? line.replace(COLOURS, '') : line;
}

/** The same for lines that differ in numbers and hexadecimal identifiers only. */
export function shapeOf(line: string): string {
  return line.replace(/[a-f]*\d[\da-f]*/gi, '#');
}

/** Frames as Java, JavaScript, .NET, Rust (`at …`), Python and Go write them. */
const FRAME =
  /^\s*(?:at |File "|\.\.\. \d+ more|goroutine \d|created by |stack backtrace:)|^[\w./-]+\.[\w.()*]+\(.*\)$/;

/** Whether a line without its end is of a stack trace, wherever it stands. */
export function isStackFrame(line: string): boolean {
  return FRAME.test(line);
}
