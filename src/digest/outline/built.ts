import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The address of a file that the build makes; from source, of the one that was built last. */
export function built(name: string): URL {
  const manifest = createRequire(import.meta.url).resolve('plimsoll/package.json');
  return new URL(`dist/${name}`, pathToFileURL(manifest));
}
