import { oneOf, opening } from './rule.ts';

/** Products of which one takes the place of another, by what they are chosen as. */
const KINDS: Readonly<Record<string, string>> = {
  database:
    'PostgreSQL|Postgres|MySQL|MariaDB|SQLite|MongoDB|CockroachDB|DynamoDB|SQL Server|Firestore|Oracle',
  'package manager': 'npm|pnpm|Yarn',
  'test framework': 'Vitest|Jest|Mocha|Jasmine',
  'browser tests': 'Playwright|Cypress|Selenium|Puppeteer',
  bundler: 'Webpack|Vite|Rollup|esbuild|Parcel|Turbopack|Rspack',
  'frontend framework': 'React|Vue|Svelte|Angular|Preact|SolidJS',
  CI: 'GitHub Actions|GitLab CI|Jenkins|CircleCI|Travis CI|Buildkite',
  'message queue': 'Kafka|RabbitMQ|NATS|ActiveMQ',
};

const VERBS = oneOf(
  'use|using|go with|switch(?:ing)? to|mov(?:e|ing) to|migrat(?:e|ing) to|adopt|keep|take|choose|stay with|stick (?:with|to)|go back to',
  'nehmen|nutzen|verwenden|utiliser|passer à|garder|usar|utilizar',
);
const AGAIN = '(?: instead| again| now| after all| stattdessen)?';
const VERSION = String.raw`(?: v?\d{1,4}(?:\.\d{1,4}){0,3})?`;

const CHOICES = Object.entries(KINDS).map(([kind, products]) => ({
  kind,
  names: products.split('|'),
  pattern: opening(
    `(?:(?:we|wir) )?(${VERBS} )?(${products})${VERSION}${AGAIN}(?: (?:instead of|rather than|over|not|statt|anstatt) (?:${products})${VERSION})?(?: (?:for|für) (?:the |our |all |die |den |das )?([\\p{L}\\p{N}-]{2,30}(?: [\\p{L}\\p{N}-]{2,30}){0,2}?))?${AGAIN}(?: (?:zu )?(?:nehmen|nutzen|verwenden))?$`,
  ),
}));

/** What a decision for a product is about, where it says no more than that: who decides otherwise decides the same thing. */
export function choiceIn(decision: string): string | undefined {
  for (const { kind, names, pattern } of CHOICES) {
    const [, verb, name, purpose] = pattern.exec(decision) ?? [];
    const isName = name !== undefined && (verb !== undefined || names.includes(name));
    if (isName) return purpose ? `${kind} for ${purpose}` : kind;
  }
  return undefined;
}
