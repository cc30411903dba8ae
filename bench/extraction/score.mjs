/** Weighs what was found in conversations against what was to be found. Nothing here reads a file. */

/** From here on a value says what was expected. */
const LEAST_F1 = 0.5;

const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+(?:[.:][\p{L}\p{M}\p{N}]+)*/gu;

/** The words of a text in lower case; of writing without spaces, each character. */
export function wordsOf(text) {
  return text.normalize('NFKC').toLowerCase().match(WORDS) ?? [];
}

/** How much two texts have in common: the harmonic mean of the shares of words that are in the other one. */
export function f1(one, other) {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const left = [...others];
  const shared = words.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
  return shared === 0 ? 0 : (2 * shared) / (words.length + others.length);
}

/** Whether a text says one of the values: a pattern matches it, or at least half of the words are the same, all numbers too. */
export function says(text, values) {
  return values.some((value) =>
    value instanceof RegExp ? value.test(text) : f1(text, value) >= LEAST_F1 && hasNumbers(text, value),
  );
}

function hasNumbers(text, value) {
  const words = new Set(wordsOf(text));
  return wordsOf(value).every((word) => words.has(word) || !/\p{N}/u.test(word));
}

const spaced = (key) => key.replace(/[_.]/g, ' ');

/** Whether a key names what was expected: one of the subjects and one of the attributes, by any word of each. */
function names(key, { subjects, attributes }) {
  const words = new Set(wordsOf(spaced(key)).map(stem));
  const isIn = (phrases) => phrases.some((phrase) => wordsOf(phrase).some((word) => words.has(stem(word))));
  return isIn(subjects) && isIn(attributes);
}

const stem = (word) => word.replace(/(?<=\p{L}{3})s$/u, '');

/** Keys of which nobody can tell what they are about. */
const isGeneric = (key) => /^inbox(?:\.|$)/.test(key);

/**
 * What was found in a fixture, counted.
 *
 * @param facts `{ key, value, file, line, by, quote, isVerified }`, the value as text.
 * @returns Of the `expected` facts, `found` ones are there, `misplaced` ones only with another turn as their source; of
 * `cited` ones a turn is the source of some fact, whatever that says. Of all `facts`, `right` ones are expected; the quotes
 * of `unsupported` ones stand nowhere; `forbidden` ones say what isn't to be kept; the rest is `extra`: nobody asked for it,
 * but the conversation says it. `named` of those that are right have a key like the expected one; `generic` keys tell
 * nothing. Of `astray` ones the value and the quote have no word in common, as when a day is worked out, or when the quote
 * is of something else.
 */
export function score({ expected, never }, facts) {
  const isForbidden = ({ key, value, quote }) =>
    never.some((text) => [key, value, quote].some((part) => part.toLowerCase().includes(text.toLowerCase())));
  const isAt = ({ places }, { file, line, by }) =>
    places.some((place) => place.file === file && place.line === line && place.by === by);
  const matches = (fact) => (one) => textsOf(fact, one).some((text) => says(text, one.values));

  const good = facts.filter((fact) => !isForbidden(fact));
  const right = good.filter((fact) => expected.some((one) => matches(fact)(one) && isAt(one, fact)));
  const others = good.filter((fact) => !right.includes(fact));
  const found = expected.filter((one) => right.some((fact) => matches(fact)(one) && isAt(one, fact)));
  const misplaced = expected.filter(
    (one) => !found.includes(one) && others.some((fact) => matches(fact)(one)),
  );
  return {
    expected: expected.length,
    found: found.length,
    misplaced: misplaced.length,
    cited: expected.filter((one) => good.some((fact) => isAt(one, fact))).length,
    facts: facts.length,
    right: right.length,
    extra: others.filter(({ isVerified }) => isVerified).length,
    unsupported: others.filter(({ isVerified }) => !isVerified).length,
    forbidden: facts.length - good.length,
    astray: facts.filter(({ value, quote }) => f1(value, quote) === 0).length,
    generic: facts.filter(({ key }) => isGeneric(key)).length,
    named: right.filter((fact) => expected.some((one) => matches(fact)(one) && names(fact.key, one))).length,
  };
}

/** What of a fact may say what is expected: of a sentence, also the quote and the key with the value. */
function textsOf({ key, value, quote }, { isSentence = false }) {
  return isSentence ? [value, `${spaced(key)} ${value}`, quote] : [value];
}

/** How much of what memory is to say at the end it does, and how much of what it isn't. */
export function standing({ stands, gone }, values) {
  const isThere = (ways) => ways.split('|').some((way) => values.some((value) => value.includes(way)));
  const wrong = [...stands.filter((ways) => !isThere(ways)), ...gone.filter(isThere)];
  return { checks: stands.length + gone.length, wrong };
}

/** Several scores as one. */
export function sum(scores) {
  const total = {};
  for (const score of scores) {
    for (const [name, value] of Object.entries(score)) total[name] = (total[name] ?? 0) + value;
  }
  return total;
}

/** Extra facts are neither right nor wrong: nobody listed all that a conversation says. */
export function precision({ right, unsupported, forbidden }) {
  return right / (right + unsupported + forbidden);
}

export function recall({ found, expected }) {
  return found / expected;
}
