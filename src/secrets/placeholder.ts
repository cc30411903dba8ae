/**
 * Whether the random part of a key or token is none: the documentation's example, a filler, a sequence, words.
 * Judged by the value alone. What chance makes of a real key passes with a probability of less than one in
 * 10,000.
 */
export function isPlaceholderToken(random: string): boolean {
  return (
    TELLING_WORD.test(random) ||
    LONG_RUN.test(random) ||
    new Set(random).size <= (random.length >= 16 ? 6 : 2) ||
    isSequence(random) ||
    (!/\d/.test(random) && random.split(/[-_]/).every((part) => ONE_CASE.test(part)))
  );
}

/**
 * Whether the password of an address is none, or one that opens nothing: a variable, a filler, words that say
 * "password", the user's own name; any where the host is reserved for examples; a plain word where the host is
 * this machine or has no domain.
 */
export function isPlaceholderPassword(password: string, user: string, host: string): boolean {
  return (
    password.length < 4 ||
    RESERVED_HOST.test(host) ||
    TEMPLATE.test(password) ||
    PATTERN.test(password) ||
    TELLING_WORDS.test(withoutWordsOf(user, password)) ||
    new Set(password).size <= 2 ||
    isSequence(password) ||
    (LOCAL_HOST.test(host) && PLAIN_WORDS.test(password))
  );
}

const TELLING_WORD =
  /example|sample|placeholder|dummy|redacted|change_?me|insert|replace|removed|hidden|secret|token|password/i;
const LONG_RUN = /(.)\1{5}/;
const ONE_CASE = /^(?:[a-z]*|[A-Z]*|[A-Z][a-z]*)$/;

/** Names that stand for no machine (RFC 2606, RFC 6761), and the words that documents write for a host. */
const RESERVED_HOST = /^(?:|.*\.)(?:example(?:\.(?:com|org|net|edu))?|test|invalid)\.?$|^host(?:name)?$/i;
const LOCAL_HOST = /^(?:127(?:\.\d+){3}|0\.0\.0\.0|.*\.local(?:host)?|host\.docker\.internal|[^.]+)$/i;

const TEMPLATE =
  /\$\{|\$\(|\{\{|#\{|^\{[^}]*\}?$|^\[.*\]?$|^\(.*\)$|^%[A-Za-z_]+%?$|^%\(|^%[-\d.]*[sdvq]$|^@[A-Za-z_]+@$|^\$(?:[A-Z_][A-Z\d_]*|[a-z_]+|[a-z]+(?:[A-Z][a-z]+)+)$|^(?:\.{3}|…)/;

/** A piece of a regular expression. */
const PATTERN = /\[\^|[\])][+*]/;

/** `index-secret` of `index-user` is `secret`. */
function withoutWordsOf(user: string, password: string): string {
  const words = user.toLowerCase().split(SEPARATOR);
  return password
    .split(SEPARATOR)
    .filter((word) => !words.includes(word.toLowerCase()))
    .join('-');
}

const SEPARATOR = /[-_.]/;

const PLAIN_WORDS = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)(?:[-_](?:[a-z]+|[A-Z]+))*\d?$/;

const WORDS = `
  access account admin administrator api app asdf auth bar basic baz change changeit changeme credential
  credentials database db default demo dev dummy empty example fake foo git github gitlab guest here hidden
  hunter insert is it key letmein local login me mock mongo mongodb my mysql name new none null old pass
  passphrase passwd password pat placeholder postgres postgresql pw pwd quux qux qwerty redacted redis
  removed replace root sample secret secrets sql string super test tester testing the this to todo token
  undefined use user username value with word wrong your`
  .trim()
  .split(/\s+/);
const TELLING_WORDS = new RegExp(`^[-_.]?(?:(?:${WORDS.join('|')})[-_.]?){0,8}\\d?$`, 'i');

/** Whether at least half of the characters follow the one before, or the one before that: `abcd`, `a1b2c3`. */
function isSequence(text: string): boolean {
  return [1, 2].some((step) => {
    let up = 0;
    let down = 0;
    for (let i = step; i < text.length; i++) {
      const difference = text.charCodeAt(i) - text.charCodeAt(i - step);
      up += difference === 1 || difference === -9 ? 1 : 0;
      down += difference === -1 || difference === 9 ? 1 : 0;
    }
    return Math.max(up, down) * 2 >= text.length - step;
  });
}
