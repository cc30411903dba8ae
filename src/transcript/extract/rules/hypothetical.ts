/** Whether a sentence says what would be, may be or is no more, rather than what is. */
export function isHypothetical(said: string): boolean {
  return HYPOTHETICAL.test(said.replace(NAMES, '').replace(COURTESY, ''));
}

/** Addresses, dotted names and code, in which words mean nothing. */
const NAMES = /https?:\/\/\S+|\S+@\S+|[\w-]{2,63}(?:\.[\w-]{2,63}){1,9}|`[^`]*`/g;

/** "…, if you need it" takes nothing back. */
const COURTESY =
  /, (?:just )?(?:if|in case) (?:you|anyone|anybody) (?:needs?|wants?|asks?|wonders?|cares?|likes?|(?:is|are) (?:wondering|interested))(?: \p{L}+){0,4}[.!]?$/iu;

const HYPOTHETICAL = new RegExp(
  `(?<![\\p{L}'’])(?:${[
    "if|unless|would|wouldn['’]?t|could|couldn['’]?t|might|maybe|perhaps|possibly|probably|suppose|supposing|imagine|hypothetically|pretend|example|e\\.g",
    "no longer|any ?more|used to|not true|joking|kidding|not sure|I think|I guess|don['’]?t know",
    'wenn|falls|würden?|könnten?|vielleicht|womöglich|angenommen|nicht mehr|beispiel|glaube',
    'peut-être|pourrai(?:t|s|ent)|pourrions|serait|supposons|exemple',
    'quizás?|tal vez|podríamos|podría|supongamos|ejemplo|ya no',
  ].join('|')})(?!\\p{L})`,
  'iu',
);
