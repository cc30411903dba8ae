/** Where GitHub's own API is. */
export const GITHUB_API = 'https://api.github.com';

/**
 * The web address of the server whose API is at `api`: `https://ghe.example/api/v3` and `https://api.x.ghe.com`
 * tell it, and any other stands for itself. `undefined` for GitHub's own.
 */
export function originOf(api: string): string | undefined {
  const { protocol, host, pathname, origin } = new URL(api);
  if (api === GITHUB_API) return undefined;
  if (ENTERPRISE_PATH.test(pathname)) return origin + pathname.replace(ENTERPRISE_PATH, '');
  return host.startsWith('api.') ? `${protocol}//${host.slice('api.'.length)}` : origin;
}

/**
 * The API for a repository on `host`: the configured one where it is of that host, or where it tells no host by its
 * address and stands for GitHub's own, as a proxy of it does.
 */
export function apiOf(host: string, configured: string): string {
  const origin = originOf(configured);
  if (origin === undefined || new URL(origin).host === host) return configured;
  return host === 'github.com' && origin === new URL(configured).origin && !ENTERPRISE_PATH.test(configured)
    ? configured
    : GITHUB_API;
}

const ENTERPRISE_PATH = /\/api\/v3$/;
