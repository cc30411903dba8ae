import { isHypothetical } from './hypothetical.ts';
import { attributeOf, type Found, type Rule, trimmed } from './rule.ts';

const WORD = String.raw`\p{Lu}[\p{L}\p{M}\p{N}'’.-]{0,40}`;
const NAME = String.raw`(?!(?:This|That|These|He|She|It|They|There|Here|Who|What|Which|My|Our|Your|The|And|But|If|Das|Er|Es|Sie|Ce|Il|Elle)\b)${WORD}(?: (?:(?:van|von|de|del|der|di|da|la|al|bin) ){0,2}${WORD}){0,3}`;
const END = String.raw`(?= ?(?:[.,;:!)—–]|$| (?:and|from|at|of|for|by|but|until|since|as|in|with|now|where|which|who|und|et|y)\b))`;
const ROLE = String.raw`((?:[\p{L}-]{1,30} ){0,3}?(?:CEO|CTO|CFO|COO|CISO|CPO|founder|co-founder|chair(?:man|woman|person)?|president|director|head|lead|leader|manager|architect|engineer|developer|designer|programmer|scientist|researcher|analyst|tester|writer|editor|maintainer|administrator|admin|consultant|accountant|lawyer|teacher|doctor|nurse|assistant|intern|owner|contact|boss|Chefin|Chef|Leiterin|Leiter|Entwicklerin|Entwickler|Gestalterin|Ansprechpartnerin|Ansprechpartner)(?: (?:of|for) [\p{L} -]{1,40}?)?)`;
const THING = `((?:new |main |side )?(?:project|product|app|application|service|company|team|startup|client|customer|repo|repository|package|library|module|tool|server|cluster|database|bot|book|game|ship|boat|cat|dog|daughter|son|wife|husband|partner))`;

const RELATIVE =
  '(?:partner|wife|husband|daughter|son|sister|brother|mother|father|colleague|friend|neighbour|neighbor)';

interface Pattern {
  readonly pattern: RegExp;
  found(match: readonly string[], speaker: string): Found;
}

const PATTERNS: readonly Pattern[] = [
  {
    pattern: sure(
      `(?:[Mm]y (?:full )?name(?: is|['’]s)|[Cc]all me|[Ii]ch hei(?:ß|ss)e|[Mm]ein [Nn]ame ist|[Jj]e m['’]appelle|[Mm]on nom est|[Mm]e llamo|[Mm]i nombre es) (${NAME})${END}`,
    ),
    found: ([, name = ''], speaker) => ({ subject: speaker, attribute: 'name', value: name }),
  },
  {
    pattern: sure(`(${NAME}) (?:is|ist) (?:our|my|the|unsere?|mein|meine) (?:new |neuer? )?${ROLE}${END}`),
    found: ([, name = '', role = '']) => ({ subject: name, attribute: 'role', value: role }),
  },
  {
    pattern: sure(`[Oo]ur ${ROLE} is ((?=${WORD} \\p{L})${NAME})${END}`),
    found: ([, role = '', name = '']) => ({ subject: name, attribute: 'role', value: role }),
  },
  {
    pattern: sure(`[Mm]y ${RELATIVE} (${NAME}) is (?:an?|the|our) ${ROLE}${END}`),
    found: ([, name = '', role = '']) => ({ subject: name, attribute: 'role', value: role }),
  },
  {
    pattern: sure(
      `I(?:['’]m| am) (?:an?|the) (?!(?:great|good|bad|terrible|huge|proud|bit|born|natural|better|poor|happy)\\b)${ROLE}${END}`,
    ),
    found: ([, role = ''], speaker) => ({ subject: speaker, attribute: 'role', value: role }),
  },
  {
    pattern: sure(
      `(?!(?:Nobody|Everybody|Everyone|Someone|Somebody|One|People)\\b)(${NAME}) (?:(?:strongly|really|generally|usually|much) )?prefers ((?!not\\b)[^"“”]{3,200})`,
    ),
    found: ([whole = '', name = '', what = '']) => ({
      subject: 'preferences',
      attribute: `${name} ${attributeOf(what)}`,
      value: whole,
    }),
  },
  {
    pattern: sure(`I(?: now| currently)? work (?:at|for) (${NAME})${END}`),
    found: ([, employer = ''], speaker) => ({ subject: speaker, attribute: 'employer', value: employer }),
  },
  {
    pattern: sure(
      String.raw`I(?:['’]m| am)? ?(?:now |currently )?work(?:ing)? on (${NAME}|\x60[^\x60]{1,60}\x60)${END}`,
    ),
    found: ([, work = ''], speaker) => ({ subject: speaker, attribute: 'works on', value: work }),
  },
  {
    pattern: sure(
      String.raw`(?:[Tt]he|[Oo]ur|[Mm]y) ${THING}(?: is|['’]s) (?:called|named) (${WORD}(?: (?:(?:and|of|the|for|in) ){0,2}${WORD}){0,3}|["“„\x60][^"”“\x60]{1,60}["”“\x60])${END}`,
    ),
    found: ([, thing = '', name = '']) => ({ subject: thing, attribute: 'name', value: name }),
  },
];

const JAPANESE_NAME = /^(?:私|僕|ぼく|俺)の名前は([\p{L}\p{M}・ ]{1,20}?)(?:です|と申します|といいます)/u;

/** Who people are, and what things are called. */
export const names: Rule = {
  *find(said, speaker) {
    if (isHypothetical(said)) return;
    const name = JAPANESE_NAME.exec(said)?.[1];
    if (name) yield { subject: speaker, attribute: 'name', value: name };
    for (const { pattern, found } of PATTERNS) {
      const match = pattern.exec(said);
      if (match) yield clean(found(match, speaker));
    }
  },
};

function clean({ subject, attribute, value }: Found): Found {
  return { subject: trimmed(subject), attribute, value: trimmed(value).replace(/['’]s$/, '') };
}

/** Names are told by their capitals. */
function sure(pattern: string): RegExp {
  return new RegExp(`^${pattern}`, 'u');
}
