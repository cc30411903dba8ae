import { Silence } from './silence.ts';

export type Fetch = typeof globalThis.fetch;

/** No host answered: no connection, a broken one, or silence. `cause` is what Node says of it. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * A `fetch` that gives up on a host that is silent for `timeout` seconds, in its answer's body too, and that goes
 * through the proxy that the environment names. Rejects with `NoAnswer` for whatever keeps an answer from coming.
 */
export async function makeFetch(timeout: number, signal: AbortSignal | undefined): Promise<Fetch> {
  const send = await throughProxy();
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const silence = new Silence(url.host, timeout);
    const signals = [init.signal, signal, silence.signal].filter((one) => one != null);
    try {
      const response = await send(input, { ...init, signal: AbortSignal.any(signals) });
      silence.break();
      if (response.body) return withBody(response, watched(response, silence));
      silence.end();
      return response;
    } catch (cause) {
      silence.end();
      throw noAnswer(cause, silence);
    }
  };
}

/** Node's own `fetch` knows no proxies before version 24. */
async function throughProxy(): Promise<Fetch> {
  const { env } = process;
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
  if (!names.some((name) => env[name])) return globalThis.fetch;
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent();
  return ((input: string, init: object) => fetch(input, { ...init, dispatcher })) as unknown as Fetch;
}

/** Holds on to the response: one that nobody holds any more ends its body early, as if that were all. */
async function* watched(response: Response, silence: Silence): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      silence.break();
      yield chunk;
    }
  } catch (cause) {
    throw noAnswer(cause, silence);
  } finally {
    silence.end();
  }
}

/** The same response with another body; `Response` itself has no way to keep the address. */
function withBody(response: Response, body: AsyncIterable<Uint8Array>): Response {
  const { status, statusText, headers, url } = response;
  const copy = new Response(ReadableStream.from(body), { status, statusText, headers: [...headers] });
  return Object.defineProperty(copy, 'url', { value: url });
}

function noAnswer(cause: unknown, silence: Silence): NoAnswer {
  return new NoAnswer('no answer', { cause: silence.isOver ? silence.error() : cause });
}
