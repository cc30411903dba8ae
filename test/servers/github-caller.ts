/** Who asks. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'user'; readonly token: string }
  /** Somebody with credentials that are not valid. */
  | { readonly kind: 'unknown' };

const SCHEME = /^(bearer|token|basic) +(\S+)$/i;

/** Who an `Authorization` header says is asking, among those who have one of the tokens. */
export function callerOf(authorization: string | undefined, tokens: readonly string[]): Caller {
  if (authorization === undefined) return { kind: 'anonymous' };
  const [, scheme = '', credentials = ''] = SCHEME.exec(authorization) ?? [];
  const token = scheme.toLowerCase() === 'basic' ? tokenIn(credentials) : credentials;
  return tokens.includes(token) ? { kind: 'user', token } : { kind: 'unknown' };
}

/** A token stands in the place of the password, or of the name if there is no password. */
function tokenIn(basic: string): string {
  const [user = '', password = ''] = Buffer.from(basic, 'base64').toString().split(/:(.*)/s);
  return password === '' || password === 'x-oauth-basic' ? user : password;
}
