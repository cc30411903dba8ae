import { isPlaceholderToken } from './placeholder.ts';
import type { Span } from './span.ts';

/**
 * Keys that begin as only keys do and that no other rule here knows: Stripe's, GitLab's, Hugging Face's, PyPI's and
 * Google's, as their makers document them, and JSON Web Tokens (RFC 7519), whose two first parts are JSON.
 */
export function prefixedKeys(text: string): Span[] {
  if (!MAY_MATCH.test(text)) return [];
  return PATTERNS.flatMap(([rule, pattern]) =>
    Array.from(text.matchAll(pattern)).flatMap((match) => {
      const [key, random = ''] = match;
      return isPlaceholderToken(random) ? [] : [{ start: match.index, end: match.index + key.length, rule }];
    }),
  );
}

const MAY_MATCH = /[sr]k_live_|glpat-|hf_|pypi-|AIza|eyJ/;

/** Each captures what of a key is random. */
const PATTERNS: readonly (readonly [string, RegExp])[] = [
  ['stripe-key', /(?<!\w)[sr]k_live_([A-Za-z0-9]{16,247})/g],
  ['gitlab-token', /(?<![\w-])glpat-([\w-]{20,300}(?:\.[\w.]{1,40})?)/g],
  ['huggingface-token', /(?<!\w)hf_([A-Za-z0-9]{30,60})(?!\w)/g],
  ['pypi-token', /(?<![\w-])pypi-(AgE[\w-]{50,500})/g],
  ['google-api-key', /(?<![\w-])AIza([\w-]{35})(?![\w-])/g],
  ['jwt', /(?<![\w-])eyJ[\w-]{8,2000}\.eyJ[\w-]{4,8000}\.([\w-]{16,2000})/g],
];
