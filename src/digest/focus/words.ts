/** Words that say nothing of what a question is about. */
const STOP_WORDS = new Set(
  `a about add added adds after all also an and any are as at be because been but by can change changed changes could did do
  does don for from had has have how i if in instead into is it its just like make makes may more must need needs new no
  not now of on one only or other our out over same should so some such than that the their them then there these they
  this those through to up use used uses using via was we were what when where which while who why will with within
  without would you your`.split(/\s+/),
);

/** An identifier, a word, or a number that is no mere digit. */
const NAMES = /[\p{L}_][\p{L}\p{N}_]*|\p{N}{2,}/gu;
/** Where the parts of an identifier meet: `snake_case`, `camelCase`, `HTTPServer`. */
const SEAMS = /_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const LONGEST_NAME = 80;

/** The identifiers and words of a text, each as often as it stands there. */
export function namesIn(text: string): RegExpStringIterator<RegExpExecArray> {
  return text.matchAll(NAMES);
}

/**
 * What a name is found by: its words in lower case and without their endings, and, where it is made of several, itself
 * whole behind `=`.
 */
export function termsOf(name: string): string[] {
  if (name.length > LONGEST_NAME) return [];
  const parts = name.split(SEAMS).filter((part) => part.length > 1);
  const words = parts.map((part) => stem(part.toLowerCase()));
  return parts.length > 1 ? [`=${name.toLowerCase().replaceAll('_', '')}`, ...words] : words;
}

/** What a question asks for: its terms, each with how often it says them. */
export function termsOfQuestion(question: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const [name] of namesIn(question)) {
    if (STOP_WORDS.has(name.toLowerCase())) continue;
    for (const term of termsOf(name)) terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  return terms;
}

/** A word without the ending that English gives it in the plural and in other forms; good enough to tell like from like. */
function stem(word: string): string {
  if (word.length < 5) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ing') && word.length > 6) return word.slice(0, -3);
  if (word.endsWith('ed') && word.length > 5) return word.slice(0, -2);
  if (word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word;
}
