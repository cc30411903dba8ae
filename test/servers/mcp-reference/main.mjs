// The reference server: `node main.mjs [--http] [--bulk CHARS]`. Over stdio, or over HTTP at an address that it
// prints.
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { http: { type: 'boolean' }, bulk: { type: 'string', default: '0' } },
});
const bulk = Number(values.bulk);

if (values.http) {
  const { serveHttp } = await import('./http.mjs');
  console.log(await serveHttp(bulk));
} else {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createServer } = await import('./server.mjs');
  serveStdio(() => createServer(bulk));
}
