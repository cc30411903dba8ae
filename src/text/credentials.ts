/**
 * An address, or a line of text that holds some, as it may be shown: without passwords, without user names but
 * those of ssh (a user name in a web address is often a token), without query and fragment. Also for
 * addresses that no program could read.
 *
 * In a line, what stands between `://` and an `@` before the next slash counts as credentials; so do
 * `user:password@` at its very start, and what follows `://user:` up to an `@` where that is no port.
 */
export function withoutCredentials(text: string): string {
  return text
    .replace(LOGIN_AT_START, '')
    .replace(LOGIN, (_, ssh = '', user = '') => `${ssh}://${ssh && user ? `${user}@` : ''}`)
    .replace(QUERY, '$1');
}

const LOGIN_AT_START = /^[^/:]*:(?!\s)[^/]*@/;
/** That each ends at the next `://` keeps the time linear. */
const LOGIN = /(ssh)?:\/\/(?:([^/:]*)(?::[^/]*)?|[^\s/:@[]*:(?!\d{1,5}\/)(?:(?!:\/\/)\S)*)@/gi;
const QUERY = /(:\/\/(?:(?!:\/\/)[^\s?#])*)[?#][^\s'"`<>]*/g;
