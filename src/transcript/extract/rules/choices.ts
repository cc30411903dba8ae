import { oneOf, opening } from './rule.ts';

interface Kind {
  /** What it is chosen as. */
  readonly kind: string;
  /** Products of which one takes the place of another. */
  readonly products: string;
  /** What says no more than that, where somebody tells what it is for. */
  readonly same: string;
}

const KINDS: readonly Kind[] = [
  {
    kind: 'database',
    products:
      'PostgreSQL|Postgres|MySQL|MariaDB|SQLite|MongoDB|CockroachDB|DynamoDB|SQL Server|Firestore|Oracle',
    same: 'databases?|main database|primary database|db|data|storage|persistence|Datenbank(?:en)?|Daten',
  },
  {
    kind: 'package manager',
    products: 'npm|pnpm|Yarn',
    same: 'package manager|package management|packages|dependencies|Pakete|Paketverwaltung',
  },
  {
    kind: 'test framework',
    products: 'Vitest|Jest|Mocha|Jasmine',
    same: 'test framework|test runner|tests?|testing',
  },
  {
    kind: 'browser tests',
    products: 'Playwright|Cypress|Selenium|Puppeteer',
    same: '(?:browser|e2e|end-to-end|UI) (?:tests?|testing)|tests?|testing|e2e|browser automation',
  },
  {
    kind: 'bundler',
    products: 'Webpack|Vite|Rollup|esbuild|Parcel|Turbopack|Rspack',
    same: 'bundler|bundles?|bundling|builds?|build tool',
  },
  {
    kind: 'frontend framework',
    products: 'React|Vue|Svelte|Angular|Preact|SolidJS',
    same: '(?:frontend|front-end|front end|UI)(?: framework)?',
  },
  {
    kind: 'CI',
    products: 'GitHub Actions|GitLab CI|Jenkins|CircleCI|Travis CI|Buildkite',
    same: 'CI|CI/CD|continuous integration',
  },
  {
    kind: 'message queue',
    products: 'Kafka|RabbitMQ|NATS|ActiveMQ',
    same: '(?:message |messaging )?queues?|messag(?:es|ing)|message broker',
  },
];

const VERBS = oneOf(
  'use|using|go with|switch(?:ing)? to|mov(?:e|ing) to|migrat(?:e|ing) to|adopt|keep|take|choose|stay with|stick (?:with|to)|go back to',
  'nehmen|nutzen|verwenden|utiliser|passer à|garder|usar|utilizar',
);
const AGAIN = '(?: instead| again| now| after all| stattdessen)?';
const VERSION = String.raw`(?: v?\d{1,4}(?:\.\d{1,4}){0,3})?`;

const FOR = '(?:for|as|für|als) (?:the |our |an? |all |die |den |das |eine? |unsere? )?';
const PURPOSE = String.raw`[\p{L}\p{N}/-]{2,30}(?: [\p{L}\p{N}-]{2,30}){0,2}?`;

const CHOICES = KINDS.map(({ kind, products, same }) => ({
  kind,
  names: products.split('|'),
  pattern: opening(
    `(?:(?:we|wir) )?(${VERBS} )?(${products})${VERSION}${AGAIN}(?: (?:instead of|rather than|over|not|statt|anstatt) (?:${products})${VERSION})?(?: ${FOR}(?:(?:${same})|(${PURPOSE})))?${AGAIN}(?: (?:zu )?(?:nehmen|nutzen|verwenden))?$`,
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
