import { random } from '../../generate/random.mjs';

/** Somebody says a text in which facts are planted. */
const turn =
  (by) =>
  (text, ...expect) => ({ by, text, expect });

export const person = turn('person');
export const assistant = turn('assistant');
export const tool = turn('tool');

/** One of several people says it. */
export const says = (speaker, text, ...expect) => ({ by: 'person', speaker, text, expect });
/** A program says it among people. */
export const bot = (speaker, text, ...expect) => ({ by: 'assistant', speaker, text, expect });

/** What a client writes between turns by itself. */
export const record = (value) => ({ by: 'client', record: value });

/** A turn that is on a branch which was given up. */
export const elsewhere = (said) => ({ ...said, isElsewhere: true });

/** The turns so far are written once more, under the same ids. */
export const AGAIN = { by: 'again' };

/**
 * A fact that is to be found. `subject` and `attribute` may name several ways to call them, with bars between; each of the
 * values will do, and a pattern stands for those it matches. Planted in several turns, any of them is its place.
 */
export const fact = (subject, attribute, ...values) => ({
  subjects: subject.split('|'),
  attributes: attribute.split('|'),
  values,
});

const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const from = (alphabet, length, seed) => {
  const { pick } = random(seed);
  return Array.from({ length }, () => pick(alphabet)).join('');
};

/** Keys and passwords as services make them, put together here: none was ever one. */
export const SECRETS = {
  github: `ghp_${from(BASE62, 36, 1)}`,
  aws: `AKIA${from(UPPER, 16, 2)}`,
  slack: `xoxb-${from('0123456789', 12, 3)}-${from('0123456789', 12, 4)}-${from(BASE62, 24, 5)}`,
  npm: `npm_${from(BASE62, 36, 6)}`,
  password: from(BASE62, 18, 7),
  linear: `lin_api_${from(BASE62, 40, 8)}`,
};

const LEVELS = ['INFO', 'INFO', 'INFO', 'WARN', 'DEBUG'];
const PARTS = ['ingest', 'tiles', 'auth', 'queue', 'sync', 'render'];

/** Output of a long run: so many lines of a log. */
export function log(lines, seed) {
  const { pick, below } = random(seed);
  return Array.from({ length: lines }, (_, index) => {
    const time = new Date(Date.UTC(2026, 9, 5, 8) + index * 733).toISOString();
    return `${time} ${pick(LEVELS)} ${pick(PARTS)}: took ${below(900)} ms, ${below(5000)} items left`;
  }).join('\n');
}
