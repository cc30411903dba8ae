import { isHypothetical } from './hypothetical.ts';
import { type Found, oneOf, opening, type Rule } from './rule.ts';

const MONTH = oneOf(
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?',
  'januar|jänner|februar|märz|mai|juni|juli|oktober|dezember',
  'janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre',
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre',
);
const DATE = oneOf(
  String.raw`\d{4}-\d\d-\d\d`,
  String.raw`\d{1,2}(?:st|nd|rd|th|er|\.)?(?: of| de)? ${MONTH}\.?(?:,?(?: de)? \d{4})?`,
  String.raw`${MONTH}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?`,
  String.raw`\d{1,2}\.\d{1,2}\.\d{4}`,
);
const ON = `(?:(?:now|set|planned|scheduled|due|fixed|on|for|by|at|to|until|the|am|bis|zum|le|el|pour|para) ){0,3}`;
const END = String.raw`(?![\p{L}\p{N}-])`;
const WEEKDAY = `(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?)?`;
const PHRASE = String.raw`[\p{L}\p{N}._-]{1,40}(?: [\p{L}\p{N}._-]{1,40}){0,5}?`;
const VERBS =
  'starts?|begins?|opens?|ends?|closes?|ships?|launches|launch|goes live|go live|happens|takes place|is|are|was moved|moved|moves|has been moved|ist|beginnt|endet|est|commence|es|empieza|termina';

const NAMED = opening(
  `(?:the|our|my|der|die|das|unsere?|le|la|notre|el|nuestr[oa]) (${PHRASE}) (${VERBS}) (${ON})${WEEKDAY}(${DATE})${END}`,
);
const THEIRS = opening(
  String.raw`(my|[\p{L}-]{2,40}(?: [\p{L}-]{2,40})?'s) (birthday|wedding|appointment|interview|vacation|holiday|exam|flight|last day|first day|anniversary) is (?:on )?${WEEKDAY}(${DATE})${END}`,
);
const OURS = opening(
  String.raw`we (launch|ship|release|go live|start|freeze|move|meet|deploy|migrate)((?: [\p{L}\p{N}._-]{1,30}){0,3}?) (?:on|by) ${WEEKDAY}(?:the )?(${DATE})${END}`,
);
const DAILY = opening(
  String.raw`(?:the|our) ((?:nightly|daily|hourly|weekly|monthly)(?: [\p{L}\p{N}-]{1,30}){1,3}?) (?:starts|runs|begins) (?:(?:every|each) \p{L}{3,9} )?at (\d{1,2}:\d\d(?: (?:UTC|GMT|CET|CEST|[ECMP][SD]T))?)${END}`,
);
const DEADLINE = /^deadline (?:for|of) (?:the |our )?| deadline$/i;

/** Dates of what is to come, with what they are for. A day of the week alone is none: nobody knows later which it was. */
export const dates: Rule = {
  *find(said, speaker) {
    if (isHypothetical(said)) return;
    for (const found of datesIn(said, speaker)) yield { ...found, value: found.value.replace(/\.$/, '') };
  },
};

function* datesIn(said: string, speaker: string): Generator<Found> {
  const [, what = '', verb = '', due = '', date] = NAMED.exec(said) ?? [];
  if (date) yield dated(what, verb, /\bdue\b/i.test(due), date);
  const [, whose = '', event = '', day] = THEIRS.exec(said) ?? [];
  const isMine = /^my$/i.test(whose);
  if (day) yield { subject: isMine ? speaker : whose.replace(/['’]s$/, ''), attribute: event, value: day };
  const [, act = '', object = '', when] = OURS.exec(said) ?? [];
  if (when) yield { subject: `${act}${object}`, attribute: 'date', value: when };
  const [, job = '', time] = DAILY.exec(said) ?? [];
  if (time) yield { subject: job, attribute: 'start', value: time };
}

function dated(what: string, verb: string, isDue: boolean, value: string): Found {
  const subject = what.replace(DEADLINE, '');
  if (subject !== what) return { subject, attribute: 'deadline', value };
  if (/^(?:deadline|date|due date)$/i.test(what)) return { subject: '', attribute: what, value };
  const attribute = isDue
    ? 'deadline'
    : /^(?:start|begin|open|commence|empieza)/i.test(verb)
      ? 'start'
      : /^(?:end|close|termina)/i.test(verb)
        ? 'end'
        : 'date';
  return { subject: what, attribute, value };
}
