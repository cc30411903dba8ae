import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Proxy as ProxyServer, startProxy } from '../../../test/servers/github-proxy.ts';
import { HttpClient } from './client.ts';
import { proxyFor } from './proxy.ts';

describe('which proxy', () => {
  const secure = new URL('https://api.example.com/mcp');
  const plain = new URL('http://api.example.com:8080/mcp');

  test('as the environment says, in capitals or not', () => {
    expect(proxyFor(secure, {})).toBeUndefined();
    expect(proxyFor(secure, { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://q:2' })?.host).toBe('p:1');
    expect(proxyFor(plain, { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://q:2' })?.host).toBe('q:2');
    expect(proxyFor(secure, { http_proxy: 'p:1' })?.href).toBe('http://p:1/');
    expect(proxyFor(plain, { HTTPS_PROXY: 'http://p:1' })).toBeUndefined();
    for (const HTTPS_PROXY of ['socks://hidden@p', 'http://hidden:50%zz@p']) {
      expect(() => proxyFor(secure, { HTTPS_PROXY })).toThrow(/^HTTPS_PROXY is not the address/);
    }
  });

  test.each(['*', 'example.com', '.example.com', '*.example.com', 'api.example.com', 'x, example.com:8080'])(
    'none where NO_PROXY has %s',
    (NO_PROXY) => expect(proxyFor(plain, { HTTP_PROXY: 'p:1', NO_PROXY })).toBeUndefined(),
  );

  test.each(['', 'ample.com', 'example.com:80', 'api.example.org', '127.0.0.1'])(
    'the same where NO_PROXY has %j',
    (NO_PROXY) => expect(proxyFor(plain, { HTTP_PROXY: 'p:1', NO_PROXY })).toBeDefined(),
  );
});

describe('through a proxy', () => {
  const { signal } = new AbortController();
  let proxy: ProxyServer;

  beforeEach(async () => {
    proxy = await startProxy(['mcp.example'], (request, response) =>
      response.end(`${request.method} ${request.url}`),
    );
    const { HTTPS_PROXY } = proxy.env;
    for (const [name, value] of Object.entries({ HTTPS_PROXY, HTTP_PROXY: HTTPS_PROXY, NO_PROXY: '' })) {
      vi.stubEnv(name, value);
      vi.stubEnv(name.toLowerCase(), undefined);
    }
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await proxy.close();
  });

  function ask(url: string) {
    return new HttpClient(url, {}).ask({ method: 'POST', headers: {}, body: Buffer.from('{}'), signal });
  }

  test('a certificate that nobody vouches for is none', async () => {
    await expect(ask('https://mcp.example/mcp')).rejects.toThrow(
      /the certificate of mcp.example isn't trusted/,
    );
  });

  test('a host with TLS is reached by a tunnel', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { status, body } = await ask('https://mcp.example/mcp');
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk);
    expect([status, Buffer.concat(chunks).toString()]).toEqual([200, 'POST /mcp']);
  });

  test('a tunnel that the proxy refuses is said', async () => {
    await expect(ask('https://other.example/mcp')).rejects.toThrow('the proxy refused (HTTP 502)');
    expect(proxy.strayConnects).toEqual(['other.example:443']);
  });

  test('a host without TLS is asked for by its whole address', async () => {
    expect((await ask('http://mcp.example/mcp?x=1')).status).toBe(502);
    expect(proxy.strayConnects).toEqual(['http://mcp.example/mcp?x=1']);
  });
});
