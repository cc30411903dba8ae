import { isHypothetical } from './hypothetical.ts';
import { attributeOf, type Found, opening, type Rule, trimmed } from './rule.ts';

const CODE = '`([^`]{2,200})`';
const PURPOSE = String.raw`([\p{L}][^\x60?]{2,80}?)`;

/** Commands run with arguments, but for those that need none. */
const COMMAND =
  /^(?:(?:sudo )?(?:npm|npx|pnpm|yarn|bun|deno|node|make|cargo|go|docker|docker-compose|git|gh|python3?|uv|pip|poetry|pytest|tox|kubectl|helm|terraform|just|gradle|mvn|bash|sh|rake|bundle|composer|php|dotnet|swift|ansible-playbook|ssh|rsync) \S|\.{0,2}\/[\w./-]+|make$|pytest$|just$)/;

/** A word for what is done again and again. */
const OBJECT = String.raw`(?!(?:it|this|that|these|those|them|everything|failing|broken|new|same|single|one|last|with)\b)[\p{L}][\p{L}\p{N}-]{1,30}`;

const PATTERNS: readonly { pattern: RegExp; command: 1 | 2 }[] = [
  {
    pattern: opening(
      `(?:always )?(?:run|use|call|execute|type) ${CODE} (?:to|for|before|after) ${PURPOSE}[.!]?$`,
    ),
    command: 1,
  },
  {
    pattern: opening(
      `(?:to|for|before|after) ${PURPOSE},? (?:please |always |just |you |we |I )?(?:run|use|call|execute|type) ${CODE}[.!]?$`,
    ),
    command: 2,
  },
  { pattern: opening(String.raw`(?:the|our) ([\p{L}\p{N}-]{2,40}) command is ${CODE}`), command: 2 },
  {
    pattern: opening(
      String.raw`(?:the |our )?([\p{L}\p{N}-]{2,40}(?: [\p{L}\p{N}-]{2,40})?) (?:is|are|runs?) (?:run |started |built |deployed |done |made )?with ${CODE}`,
    ),
    command: 2,
  },
  {
    pattern: opening(
      String.raw`(?:always |please )?(?:(?:run|execute) (?:the |our |all )?|(?=(?:build|deploy|format|generate|install(?= (?:the |all )?dependencies)|lint|migrate|publish|release|seed|ship|start|stop|test)\b))(${OBJECT}(?: ${OBJECT}){0,3}) with ${CODE}(?=[\s.,;!]|$)`,
    ),
    command: 2,
  },
];

/** What is done once, to find something out, isn't agreed for later. */
const ONCE =
  /^(?:to )?(?:see|check|find|show|look|reproduce|debug|try|verify|confirm|get|understand|figure|me|this|that|it)\b/i;

/** Commands and what they are for. */
export const commands: Rule = {
  isAgreement: true,
  *find(said) {
    if (isHypothetical(said)) return;
    for (const { pattern, command } of PATTERNS) {
      const match = pattern.exec(said);
      const value = match?.[command]?.trim() ?? '';
      const purpose = trimmed(match?.[command === 1 ? 2 : 1] ?? '');
      if (!COMMAND.test(value) || ONCE.test(purpose)) continue;
      yield { subject: 'commands', attribute: attributeOf(purpose), value } satisfies Found;
    }
  },
};
