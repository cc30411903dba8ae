import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { work } from '../lib/run.mjs';

const modules = join(work, 'peers/node_modules');

/** The Node that repomix needs. */
export const node22 = join(modules, 'node/bin/node');

/** repomix's command. */
export const repomix = join(modules, 'repomix/bin/repomix.cjs');

/** Throws where the peers are not installed; returns repomix's version. */
export function repomixVersion() {
  if (!existsSync(repomix) || !existsSync(node22)) {
    throw new Error('The peers are missing: run `node bench/peers/install.mjs` first.');
  }
  return JSON.parse(readFileSync(join(modules, 'repomix/package.json'), 'utf8')).version;
}
