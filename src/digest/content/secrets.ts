import { urlPasswords } from './secrets/passwords.ts';
import { privateKeys } from './secrets/private-keys.ts';
import type { Span } from './secrets/span.ts';
import { tokens } from './secrets/tokens.ts';

/** A secret that was replaced: which rule found it, and in which line of the original text (from 1). */
export interface SecretFound {
  readonly rule: string;
  readonly line: number;
}

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
 * Throws an Error if a rule fails; the text must then not be shown, since what the rule would have found is
 * unknown.
 *
 * @param path names the file in that error
 */
export async function redactSecrets(path: string, text: string): Promise<Redacted> {
  let spans: Span[];
  try {
    spans = [...(await tokens(text)), ...urlPasswords(text), ...privateKeys(text)];
  } catch (cause) {
    throw new Error(`the search for secrets failed on ${path}, which is therefore not shown`, { cause });
  }
  if (spans.length === 0) {
    return { text, found: [] };
  }
  let redacted = '';
  const found: SecretFound[] = [];
  let at = 0;
  let line = 1;
  for (const { start, end, rule } of merged(spans)) {
    const between = text.slice(at, start);
    line += newlines(between);
    redacted += `${between}[redacted: ${rule}]`;
    found.push({ rule, line });
    line += newlines(text.slice(start, end));
    at = end;
  }
  return { text: redacted + text.slice(at), found };
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
