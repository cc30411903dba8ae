import { isPlaceholderPassword, isPlaceholderToken } from './placeholder.ts';
import type { Span } from './span.ts';

/**
 * The passwords in addresses (`scheme://user:password@host`) of any scheme, database connection strings among
 * them. Only the password is a secret; user and host stay. Of GitHub's `https://TOKEN:x-oauth-basic@…` it is
 * the user.
 *
 * An address ends where text in quotes, brackets or white space does. A password may hold an `@`, and even a
 * quote between two letters.
 */
export function urlPasswords(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    USERINFO.lastIndex = at + 3;
    const match = USERINFO.exec(text);
    if (match !== null) {
      const [, user = '', password = '', host = ''] = match;
      const start = at + 3 + user.length + 1;
      if (password === 'x-oauth-basic') {
        if (!isPlaceholderToken(user)) {
          spans.push({ start: at + 3, end: start - 1, rule: 'github-token' });
        }
      } else if (
        !isPort(password) &&
        !DIGEST.test(host) &&
        !isPlaceholderPassword(decoded(password), user, host)
      ) {
        const scheme = text.slice(Math.max(0, at - 5), at);
        const rule = WEB.test(scheme) ? 'basic-auth' : 'connection-string';
        spans.push({ start, end: start + password.length, rule });
      }
    }
  }
  return spans;
}

/** What follows `://`, from there on: user, password (to the last `@`), host. */
const USERINFO =
  /([^\s/:@"'`<>\\()[\]|^]{0,256}):((?:[^\s/"'`<>\\]|(?<=\w)["'`](?=\w)){1,512})@([^\s/:?#"'`<>\\,;)|\]}@]{0,255})/y;
const WEB = /(?:https?|ftps?)$/i;

/** `docker://alpine:3.19@sha256:…` */
const DIGEST = /^sha\d+$/;

/** A port, and after it something else that only ends at an `@`: `http://a:80),b@c`, `http://a:80?to=b@c`. */
const isPort = (password: string) => PORT.test(password);
const PORT = /^\d{1,5}(?:[)\],;|}]|\?.*=)/;

function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
