import { fold } from '../../memory/search/fold.ts';
import type { Turn } from '../turn.ts';

/** Of a value's words so much stands in its turn, by their letters. */
const LEAST_SHARE = 1 / 2;

/** Shorter words stand in many others. */
const LEAST_PART = 3;

/** A day that is further away isn't called "tomorrow" or "next Friday"; in milliseconds. */
const FURTHEST = 62 * 24 * 60 * 60 * 1000;

/**
 * Whether a turn says a value: half of its words and all of its numbers, be they spelled out. A day may also have been worked out from the time
 * of the turn; that day itself, which every turn is shown with, only from a word for it.
 */
export function says({ text, time }: Pick<Turn, 'text' | 'time'>, value: string): boolean {
  const said = fold(text);
  const numbers = new Set(
    numbersIn(said.replace(SPELLED, (name) => NUMBERS.get(name.replace('-', ' ')) ?? name)),
  );
  const isWorkedOut = (day: string) => isNear(day, time) && (!time?.startsWith(day) || TODAY.test(said));
  const isDaySaid = (day: string) => numbers.has(plainNumber(day.slice(-2))) || isWorkedOut(day);
  const days = value.match(DAY) ?? [];
  const rest = fold(value.replace(DAY, ' '));
  if (!days.every(isDaySaid) || !numbersIn(rest).every((number) => numbers.has(number))) return false;
  const words = wordsIn(rest);
  if (words.length === 0) return /\p{N}/u.test(value) || text.includes(value);
  const whole = new Set(wordsIn(said));
  const isSaid = (word: string) => (word.length < LEAST_PART ? whole.has(word) : said.includes(word));
  return lengthOf(words.filter(isSaid)) >= lengthOf(words) * LEAST_SHARE;
}

const DAY = /(?<!\d)\d{4}-\d\d-\d\d(?!\d)/g;
const TODAY =
  /(?<!\p{L})(?:today|tonight|now|this (?:morning|afternoon|evening)|heute|heutigen?|jetzt|aujourd.hui|maintenant|hoy|ahora)(?!\p{L})|今日|本日|今天/u;
const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}]+/gu;
const THOUSANDS = /(?<=\d)[.,'’](?=\d{3}(?!\d))/g;

/** From two on, in folded letters; `one` and its like are said of anything. */
const UNITS = [
  'two zwei deux dos',
  'three drei trois tres',
  'four vier quatre cuatro',
  'five funf cinq cinco',
  'six sechs seis',
  'seven sieben siete',
  'eight acht huit ocho',
  'nine neun neuf nueve',
  'ten zehn dix diez',
  'eleven elf onze',
  'twelve zwolf douze doce',
  'thirteen dreizehn treize trece',
  'fourteen vierzehn quatorze catorce',
  'fifteen funfzehn quinze quince',
  'sixteen sechzehn seize',
  'seventeen siebzehn',
  'eighteen achtzehn',
  'nineteen neunzehn',
];
const TENS = [
  'twenty zwanzig vingt veinte',
  'thirty dreissig trente treinta',
  'forty vierzig quarante cuarenta',
  'fifty funfzig cinquante cincuenta',
  'sixty sechzig soixante sesenta',
  'seventy siebzig setenta',
  'eighty achtzig ochenta',
  'ninety neunzig noventa',
];
const named = (lists: readonly string[], numberAt: (at: number) => number) =>
  lists.flatMap((names, at) => names.split(' ').map((name) => [name, numberAt(at)] as const));
const units = named(UNITS, (at) => at + 2);
const tens = named(TENS, (at) => 10 * (at + 2));
const digits = [['one', 1] as const, ...units.filter(([, number]) => number < 10)];
const NUMBERS: ReadonlyMap<string, string> = new Map(
  [
    ...units,
    ...tens,
    ...tens.flatMap(([name, ten]) =>
      digits.map(([digit, number]) => [`${name} ${digit}`, ten + number] as const),
    ),
  ].map(([name, number]) => [name, String(number)]),
);
const SPELLED = new RegExp(
  `(?<!\\p{L})(?:(?:${namesOf(tens)})(?:[- ](?:${namesOf(digits)}))?|${namesOf(units)})(?!\\p{L})`,
  'gu',
);

function namesOf(numbers: readonly (readonly [string, number])[]): string {
  return numbers.map(([name]) => name).join('|');
}

const wordsIn = (text: string): string[] => text.match(WORDS) ?? [];
const lengthOf = (words: readonly string[]): number => words.reduce((sum, { length }) => sum + length, 0);
const plainNumber = (digits: string): string => digits.replace(/^0+(?=\d)/, '');

function numbersIn(text: string): string[] {
  return (text.replace(THOUSANDS, '').match(/\d+/g) ?? []).map(plainNumber);
}

function isNear(day: string, time: string | undefined): boolean {
  return time !== undefined && Math.abs(Date.parse(day) - Date.parse(time)) <= FURTHEST;
}
