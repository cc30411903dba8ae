import { choiceIn } from './choices.ts';
import { isHypothetical } from './hypothetical.ts';
import { attributeOf, type Found, oneOf, opening, type Rule, trimmed } from './rule.ts';

/** What a person says outright is to be kept: after one of these openings comes what it is. */
interface Kind {
  readonly subject: string;
  readonly openings: readonly string[];
  /** Whether a statement counts that holds only on a condition. */
  readonly takesConditions?: boolean;
  readonly isAgreement?: boolean;
}

const WHEN = String.raw`(?=.{0,200}\b(?:by|before|until|no later than) (?:the |next |this )?(?:end of|tomorrow|tonight|noon|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d|week|month))`;
const HABIT =
  '(?:use|want(?! to\\b)|write|commit|push|deploy|test|run|put|keep|start|merge|rebase|format|indent|answer|reply|name|add|squash|ask|explain)';

const WE = `(?:we|the team|I)(?:'ve| have)?(?: all| both| now| just| finally| since)?`;
const THAT = String.raw`(?: that| to| on|(?= not to\b))`;

const REMEMBER_THAT = `(?:remember|note|keep in mind|bear in mind|don'?t forget|do not forget|make a note|for the record|for future reference)(?: that |[:,] )(?!to )`;
const MERK_DIR = String.raw`(?:merke?n? (?:dir|euch|sie sich)|notiere?n?(?: dir)?)(?: bitte)?(?:,? dass |[:,] (?!(?:wie|was|wo|wann|wer|warum|ob)\b))|(?:denke? (?:bitte )?daran|vergiss (?:bitte )?nicht)(?:,? dass |: )`;

/** What a person begins with to have something kept. */
export const REMEMBER = opening(oneOf(REMEMBER_THAT, MERK_DIR));

const KINDS: readonly Kind[] = [
  {
    subject: 'notes',
    takesConditions: true,
    openings: [
      REMEMBER_THAT,
      MERK_DIR,
      `(?:quick )?fact(?: for the (?:file|record))?: `,
      `(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|note[zs]?|n'oublie[zs]? pas) (?:bien )?(?:que |qu')`,
      `(?:recuerd[ae]|ten en cuenta|tenga en cuenta|no olvides|anota|apunta) que `,
    ],
  },
  {
    subject: 'decisions',
    isAgreement: true,
    openings: [
      `${WE} decided (?:that )?we(?:'re| are)? (?:going to|will) `,
      `(?:[^"“”]{3,120}, so )?${WE} (?:decided|agreed|settled|chose)(?:${THAT}[: ]|: )`,
      `we [^"“”,;:]{2,40} and (?:decided|agreed)(?:${THAT}[: ]|: )`,
      `(?:decided|agreed)(?:${THAT} |: )`,
      `decision(?: made| taken)?(?:: | on (?=[^:]{2,60}: ))`,
      `${WE} (?:chose|picked|went with) (?=.{1,120} (?:over|instead of|rather than) )`,
      `let'?s (?:go with|switch to|stick (?:with|to)|standardi[sz]e on|settle on|(?=(?:use|take|choose|do|keep) .{1,120} (?:instead of|rather than) ))`,
      `(?:from now on|going forward|from here on(?: out)?)[,:]? `,
      `wir haben (?:uns )?(?:jetzt |gemeinsam |endlich )?(?:beschlossen|entschieden|darauf geeinigt)[,:]? (?:dass |,)?`,
      `ab (?:jetzt|sofort)[,:]? `,
      `(?:on a|nous avons) (?:finalement )?(?:décidé|convenu) (?:de |que |d'|qu')`,
      `(?:beschlossen|entschieden|décidé|acordado|decidido): `,
      `(?:désormais|dorénavant|à partir de maintenant)[,:]? `,
      `(?:hemos decidido|decidimos|hemos acordado|acordamos) (?:que )?`,
      `(?:a partir de ahora|de ahora en adelante)[,:]? `,
    ],
  },
  {
    subject: 'todos',
    takesConditions: true,
    openings: [
      `(?:TODO|to-do): `,
      `(?:I|we)(?:'ll| still| also)? (?:need|have|must|has)(?: to)? ${WHEN}`,
      `I(?:'ll| will) ${WHEN}`,
      `(?:I(?:'m| am|'ve| have)? )?commit(?:ted|ting) to ${WHEN}`,
      `(?=(?:I )?promised [^,;]{2,60} I'd ${WHEN})`,
      `(?:don'?t forget|do not forget|remember|remind me) to `,
      `vergiss nicht,? (?!dass)|erinnere mich (?:bitte )?daran,? `,
      `n'oublie[zs]? pas (?:de |d')|rappelle-moi (?:de |d')`,
      `no olvides (?!que)|recuérdame `,
    ],
  },
  {
    subject: 'preferences',
    openings: [
      String.raw`I(?: strongly| really| generally| usually| much)? prefer (?!not\b)`,
      String.raw`I (?=(?:always|never) ${HABIT}\b)`,
      String.raw`(?=(?:always|never) ${HABIT}\b)`,
      String.raw`[^"“”]{3,120}, so (?=(?:always|never) ${HABIT}\b)`,
      `ich bevorzuge |ich (?=(?:nutze|verwende|benutze|schreibe) (?:immer|nie|niemals) )`,
      `je préfère |j'(?=utilise (?:toujours|jamais) )`,
      `(?:yo )?prefiero `,
    ],
  },
];

export const statements: readonly Rule[] = KINDS.map(
  ({ subject, openings, takesConditions = false, isAgreement = false }) => {
    const pattern = opening(oneOf(...openings));
    return {
      isAgreement,
      *find(said: string): Iterable<Found> {
        const begin = pattern.exec(said)?.[0];
        if (begin === undefined || (!takesConditions && isHypothetical(said))) return;
        const value = trimmed(said.slice(begin.length));
        const isWhole =
          (value.match(/\p{L}{2,}/gu)?.length ?? 0) >= 2 &&
          ![UNTOLD, PEP, STORY].some((pattern) => pattern.test(value));
        const choice = subject === 'decisions' ? choiceIn(value) : undefined;
        if (isWhole || choice) yield { subject, attribute: choice ?? attributeOf(value), value };
      },
    };
  },
);

/** What people say to each other to be kind, and what holds of anything. */
const PEP = opening(
  String.raw`(?:stay(?:ing)? (?:positive|strong|patient|safe)\b|relax\b|enjoy\b|believe in\b|(?:just )?do it\b|take (?:it easy|care(?! of)|breaks?\b|time\b)|find joy|listen to your|I'm (?:always )?here\b|(?:the )?(?:key|most important thing) is\b|(?:even if|just because|practice makes|every small)\b|.{1,200}(?:\byourself\b|\bself-care\b|\b(?:it's|it is) (?:always |perfectly |totally )?(?:okay|ok|fine|normal|important|a good idea)\b|\byou're\b|\b(?:healing|journeys?|growth|dreams?|mistakes) (?:is|are)\b))`,
);

/** What somebody did once and how it went. */
const STORY = /\b(?:yesterday|last (?:night|weekend)|turned out|ended up|got to)\b/i;

/** A statement about what was said before, which nobody can tell from it alone, or about whoever reads it. */
const UNTOLD = opening(
  String.raw`(?:(?:always|never) \p{L}+ (?:it|this|that|these|those|them|there)\b|(?:it|its|it'?s|this|that|these|those|they|he|she|there|here|you|your|you'?re|such|both|neither|what I|es|das|dies|er|sie|ce|cela|ça|il|elle|esto|eso|ella)\b)`,
);
