import { isHypothetical } from './hypothetical.ts';
import { opening, type Rule } from './rule.ts';

const NUMBER = String.raw`\d{1,3}(?:[,. ’]\d{3}){1,4}(?:\.\d\d)?|\d{1,9}(?:[.,]\d\d)?`;
const CURRENCY = 'euros?|dollars?|pounds?|francs?|kroner|kronor|yen|USD|EUR|GBP|CHF|NOK|SEK|DKK|JPY|[€$£¥]';
const AMOUNT = `[€$£¥] ?(?:${NUMBER})(?:k|K| ?million)?|(?:${NUMBER})(?:k|K| million)? ?(?:${CURRENCY})`;
const KIND = 'budget|price|fee|rent|salary|deposit';
const PHRASE = String.raw`[\p{L}\p{N}._-]{1,40}(?: [\p{L}\p{N}._-]{1,40}){0,4}?`;
const IS = '(?:is|was set to|was raised to|was cut to) (?:now )?';
const END = String.raw`(?: (?:a|per) (?:day|week|month|year))?(?=[\s.,;:!)]|$)`;

const OF = opening(
  `(?:the|our|my) (${KIND}) (?:for|of) (?:the |our |my )?(${PHRASE}) ${IS}((?:${AMOUNT})${END})`,
);
const NAMED = opening(`(?:the|our|my) (${PHRASE}) (${KIND}) ${IS}((?:${AMOUNT})${END})`);

/** What things cost, and what there is to spend on them. */
export const amounts: Rule = {
  *find(said) {
    if (isHypothetical(said)) return;
    const [, kind = '', what = '', amount] = OF.exec(said) ?? [];
    if (amount) yield { subject: what, attribute: kind, value: amount };
    const [, whose = '', sort = '', sum] = NAMED.exec(said) ?? [];
    if (sum) yield { subject: whose, attribute: sort, value: sum };
  },
};
