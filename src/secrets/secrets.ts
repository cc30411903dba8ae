import { urlPasswords } from './passwords.ts';
import { prefixedKeys } from './prefixed.ts';
import { privateKeys } from './private-keys.ts';
import type { Span } from './span.ts';
import { spokenSecrets } from './spoken.ts';
import { tokens } from './tokens.ts';

/** A secret that was replaced. */
export interface SecretFound {
  /** Which rule found it. */
  readonly rule: string;
  /** In which line of the original text it begins, from 1. */
  readonly line: number;
  /** Where its replacement begins in the redacted text, in UTF-16 code units. */
  readonly at: number;
  /** Characters of the replacement, and of what it replaces. */
  readonly length: number;
  readonly replaced: number;
  /** Line ends in what it replaces. */
  readonly lines: number;
}

/** A rule failed, so what it would have found is unknown. */
export class RedactionError extends Error {}

export interface Redacted {
  readonly text: string;
  /** In the order of the text. */
  readonly found: readonly SecretFound[];
}

/**
 * The text with every key and password that is found replaced by `[redacted: RULE]`, span by span. Of a
 * private key the BEGIN and END lines stay, of an address with a password all but the password. Placeholders
 * and documentation's examples stay as they are. Text without a secret comes back as the same string.
 *
 * @throws RedactionError if a rule fails; the text must then not be shown
 */
export async function redactSecrets(text: string): Promise<Redacted> {
  return redacted(text, [urlPasswords, privateKeys, prefixedKeys]);
}

/**
 * The same for what people say to each other: what is called a password, a key or a token is replaced as well.
 *
 * @throws RedactionError if a rule fails; the text must then not be shown
 */
export async function redactSpoken(text: string): Promise<Redacted> {
  return redacted(text, [urlPasswords, privateKeys, prefixedKeys, spokenSecrets]);
}

async function redacted(text: string, rules: readonly ((text: string) => Span[])[]): Promise<Redacted> {
  let spans: Span[];
  try {
    spans = [...(await tokens(text)), ...rules.flatMap((rule) => rule(text))];
  } catch (cause) {
    throw new RedactionError('The search for secrets failed.', { cause });
  }
  if (spans.length === 0) {
    return { text, found: [] };
  }
  let shown = '';
  const found: SecretFound[] = [];
  let at = 0;
  let line = 1;
  for (const { start, end, rule } of merged(spans)) {
    const between = text.slice(at, start);
    line += newlines(between);
    shown += between;
    const replacement = `[redacted: ${rule}]`;
    const lines = newlines(text.slice(start, end));
    found.push({ rule, line, at: shown.length, length: replacement.length, replaced: end - start, lines });
    shown += replacement;
    line += lines;
    at = end;
  }
  return { text: shown + text.slice(at), found };
}

/** In order, those that overlap made one under the name of the first. */
function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last !== undefined && span.start < last.end) {
      result[result.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    } else {
      result.push(span);
    }
  }
  return result;
}

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}
