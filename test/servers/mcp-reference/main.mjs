// The reference server: `node main.mjs [--http] [--bulk CHARS]`. Over stdio, or over HTTP at an address that it
// prints.
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { serveHttp } from './http.mjs';
import { createServer } from './server.mjs';

const { values } = parseArgs({
  options: { http: { type: 'boolean' }, bulk: { type: 'string', default: '0' } },
});
const bulk = Number(values.bulk);

if (values.http) console.log(await serveHttp(bulk));
else serveStdio(() => createServer(bulk));
