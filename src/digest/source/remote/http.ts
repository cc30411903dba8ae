import { PlimsollError } from '../../../errors.ts';
import { Silence } from './silence.ts';

export type Fetch = typeof globalThis.fetch;

/** No host answered: no connection, a broken one, or silence. `cause` is what Node says of it. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The variable that names a proxy for https, and its value; `undefined` where there is none. */
export function proxyInEnvironment(): { readonly name: string; readonly value: string } | undefined {
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) {
    const value = process.env[name];
    if (value) return { name, value };
  }
  return undefined;
}

/**
 * A `fetch` that gives up on a host that is silent for `timeout` seconds, in its answer's body too, and that goes
 * through the proxy that the environment names. Rejects with `NoAnswer` for whatever keeps an answer from coming.
 */
export function makeFetch(timeout: number, signal: AbortSignal | undefined): Fetch {
  let send: Promise<Fetch> | undefined;
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const silence = new Silence(url.host, timeout);
    const signals = [init.signal, signal, silence.signal].filter((one) => one != null);
    try {
      send ??= throughProxy();
      const response = await (await send)(input, { ...init, signal: AbortSignal.any(signals) });
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
  const proxy = proxyInEnvironment();
  if (!proxy) return globalThis.fetch;
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const dispatcher = makeDispatcher(EnvHttpProxyAgent, proxy.name);
  return ((input: string, init: object) => fetch(input, { ...init, dispatcher })) as unknown as Fetch;
}

/** A value without a scheme is taken as curl and git take it. What is wrong with one is not told: it may hold a password. */
function makeDispatcher<Agent>(Agent: new (options: object) => Agent, name: string): Agent {
  const { env } = process;
  try {
    return new Agent({
      httpProxy: withScheme(env.HTTP_PROXY || env.http_proxy),
      httpsProxy: withScheme(env.HTTPS_PROXY || env.https_proxy),
    });
  } catch {
    throw new PlimsollError(
      'HOST_UNREACHABLE',
      `${name} is not the address of a proxy: correct or unset it.`,
    );
  }
}

function withScheme(proxy: string | undefined): string | undefined {
  return proxy && !/^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? `http://${proxy}` : proxy;
}

/** A response's body bit by bit. Holds on to the response: one that nobody holds any more ends its body early. */
function watched(response: Response, silence: Silence): ReadableStream<Uint8Array> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        silence.break();
        if (!done) return controller.enqueue(value);
        silence.end();
        controller.close();
      } catch (cause) {
        silence.end();
        controller.error(noAnswer(cause, silence));
      }
    },
    async cancel(reason) {
      silence.end();
      await reader.cancel(reason);
      void response;
    },
  });
}

/** The same response with another body; `Response` itself has no way to keep the address. */
function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers, url } = response;
  const copy = new Response(body, { status, statusText, headers: [...headers] });
  return Object.defineProperty(copy, 'url', { value: url });
}

function noAnswer(cause: unknown, silence: Silence): NoAnswer {
  return new NoAnswer('no answer', { cause: silence.isOver ? silence.error() : cause });
}
