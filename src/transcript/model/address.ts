import { PlimsollError } from '../../errors.ts';
import { withoutCredentials } from '../../text/credentials.ts';
import { visibleName } from '../../text/visible.ts';
import { isLoopback } from '../../wrap/http/guard.ts';
import type { ModelSettings } from './model.ts';

const OLLAMA_PORT = '11434';

/** Addresses that servers listen at for all others; from here the own machine is what they lead to. */
const UNSPECIFIED: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

/** Where a model's server is. */
export interface Address {
  /** Without a slash, and without `/v1`, at its end. It may hold a user and a password. */
  readonly url: URL;
  /** As it may be told. */
  readonly name: string;
}

/**
 * The address of a model's server; without `http://` as well, as `OLLAMA_HOST` has it. Throws `BAD_ADDRESS` for what is
 * none, and `MODEL_REMOTE` for one on another machine unless that is allowed.
 */
export function addressOf({
  address,
  kind,
  allowRemote,
}: Pick<ModelSettings, 'address' | 'kind' | 'allowRemote'>): Address {
  const url = urlOf(address.trim(), kind);
  const name = `${url.origin}${url.pathname}`.replace(/\/$/, '');
  if (!allowRemote && !isLoopback(url.hostname)) {
    throw new PlimsollError(
      'MODEL_REMOTE',
      `${name} is not on this machine, and transcripts stay here: allow it with --allow-remote, or give an address such as http://127.0.0.1:${OLLAMA_PORT}.`,
    );
  }
  return { url, name };
}

function urlOf(address: string, kind: ModelSettings['kind']): URL {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(address);
  const text = hasScheme ? address : `http://${address}`;
  if (!URL.canParse(text) || !/^https?:/i.test(text) || !hasReadableLogin(new URL(text))) {
    throw new PlimsollError(
      'BAD_ADDRESS',
      `'${visibleName(withoutCredentials(address))}' is not the address of a model's server: give one such as http://127.0.0.1:${OLLAMA_PORT}.`,
    );
  }
  const url = new URL(text);
  url.hostname = UNSPECIFIED[url.hostname] ?? url.hostname;
  if (!hasScheme && kind === 'ollama' && !/:\d+(?:[/?#]|$)/.test(address)) url.port = OLLAMA_PORT;
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
  url.search = '';
  url.hash = '';
  return url;
}

function hasReadableLogin({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}${password}`);
    return true;
  } catch {
    return false;
  }
}
