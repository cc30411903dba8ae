import { isPlaceholderPassword, isPlaceholderToken } from './placeholder.ts';
import type { Span } from './span.ts';

/**
 * What is called a password, a key or a token in a conversation: `password: …`, `API_KEY=…`, "the password is …",
 * `Authorization: Bearer …`. In code such words stand beside much that is none, so this is for conversations alone, where
 * one secret too few counts more than one word too many.
 */
export function spokenSecrets(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(NAMED)) {
    const value = (match[1] ?? '').replace(AFTER, '');
    if (!isTelling(value) || isPlaceholderPassword(value, '', 'host.tld')) continue;
    const start = match.index + match[0].length - (match[1] ?? '').length;
    spans.push({ start, end: start + value.length, rule: 'password' });
  }
  for (const match of text.matchAll(BEARER)) {
    const [whole, token = ''] = match;
    if (isPlaceholderToken(token)) continue;
    const end = match.index + whole.length;
    spans.push({ start: end - token.length, end, rule: 'bearer-token' });
  }
  return spans;
}

const NAMES =
  'passwords?|passwd|passphrase|pwd|passcode|pin(?:[ -]?code)?|passwort|kennwort|mot de passe|contraseña|(?:client|app|shared|webhook|signing)?[ _-]?secret|(?:api|access|account|private|secret|license|licence)[ _-]?keys?|(?:[a-z]{2,12}[ _-])?token|zugangsschlüssel|clave';
const NAMED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:[A-Za-z0-9]{1,20}[_-]){0,4}(?:${NAMES})["'\`]?(?:\\s{0,3}(?:=|:|=>)\\s{0,3}|\\s(?:is|was|ist|lautet|est|es)\\s(?:now\\s|still\\s|jetzt\\s)?:?\\s?)["'\`“„«]?([^\\s"'\`“”„«»<>]{4,300})`,
  'giu',
);
const BEARER = /(?<![\p{L}\p{N}])bearer\s{1,3}([\w.~+/-]{16,4000}={0,2})/giu;

/** What ends a sentence or a list, not a password. */
const AFTER = /[.,;:!?)\]}]{1,5}$/;

/** Whether a value has what words don't: digits, signs, capitals within. */
function isTelling(value: string): boolean {
  return value.length >= 4 && /[A-Za-z]/.test(value)
    ? /\d|[!@#$%^&*+=~?]|[a-z][A-Z]/.test(value)
    : /^\d{4,12}$/.test(value);
}
