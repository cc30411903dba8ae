import { isHypothetical } from './hypothetical.ts';
import { type Found, oneOf, opening, type Rule } from './rule.ts';

const WHO = oneOf(
  `(?:we|I|we'?re|we are|I'?m|I am)`,
  String.raw`(?:the|our|my) [\p{L}\p{N}-]{1,30}(?: [\p{L}\p{N}-]{1,30}){0,2}?`,
  'wir|nous|on',
);
const USES = oneOf(
  '(?:use|uses|using|run|runs|running|target|targets|need|needs|require|requires|support|supports)(?: on)?',
  'on|(?:upgraded|moved|switched|migrated) to|pinned to|is on|are on|stay on',
  'nutzen|verwenden|benutzen|setzen auf|sind auf',
  'utilisons|utilise|sommes sur|est sur',
);
const BEGIN = opening(
  `(?:${WHO} (?:now |currently |all |both |still |jetzt )?${USES}|usamos|utilizamos|estamos en) `,
);

/** Products whose whole numbers are versions; of others only numbers with dots are taken for one. */
const KNOWN = oneOf(
  'Node(?:\\.?js)?|Deno|Bun|npm|pnpm|Yarn|Java|JDK|OpenJDK|Kotlin|Scala|Python|Ruby|Rails|PHP|Perl|Swift|Xcode|C#|\\.NET|Go|Rust|GCC|Clang',
  'PostgreSQL|Postgres|MySQL|MariaDB|SQLite|MongoDB|Redis|Elasticsearch|Kafka|RabbitMQ|Nginx|Apache|Docker|Kubernetes',
  'TypeScript|React|Vue|Angular|Svelte|Next\\.?js|Nuxt|Astro|Vite|Vitest|Jest|Webpack|ESLint|Tailwind|Django|Flask|Laravel|Symfony|Spring Boot|Spring',
  'Ubuntu|Debian|Fedora|RHEL|Alpine|Windows|macOS|Android|iOS|Chrome|Firefox|Safari|Gradle|Maven|Terraform|Ansible|Unity|Blender',
);
const PRODUCT = String.raw`[\p{L}@.][\p{L}\p{N}.+#@/-]{0,40}(?: \p{Lu}[\p{L}\p{N}.]{0,30}){0,2}`;
const AFTER = String.raw`(?=[,;:!)]|\.?$|\. | (?:and|with|for|in|on|now|since|because|everywhere|here|throughout|by|too|und|et|y)\b)`;
const ONE = new RegExp(
  String.raw`(?:(${PRODUCT}) v?(\d{1,5}(?:\.(?:\d{1,6}|x)){1,3}(?:-[\w.]{1,20})?)|((?:${KNOWN})) v?(\d{1,4}(?: LTS)?))${AFTER}`,
  'iuy',
);
const NEXT = /(?:,? (?:and|und|et|y)|,) (?:the [\p{L}-]{1,30}(?: [\p{L}-]{1,30})? (?:runs |is )?on )?/iuy;

/** What is used in which version. */
export const versions: Rule = {
  *find(said) {
    let at = BEGIN.exec(said)?.[0].length;
    if (isHypothetical(said)) return;
    while (at !== undefined) {
      ONE.lastIndex = at;
      const match = ONE.exec(said);
      if (match === null) return;
      const [all, dotted, exact, known, whole] = match;
      const subject = dotted ?? known ?? '';
      if (NO_PRODUCT.test(subject)) return;
      yield { subject, attribute: 'version', value: exact ?? whole ?? '' } satisfies Found;
      NEXT.lastIndex = at + all.length;
      at = NEXT.test(said) ? NEXT.lastIndex : undefined;
    }
  },
};

const NO_PRODUCT =
  /^(?:version|release|about|around|only|over|under|at|a|the|chapter|section|page|step|figure|table|day|line|port|level|floor|part|phase|sprint|ticket|issue)$/i;
