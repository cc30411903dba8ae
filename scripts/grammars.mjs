/**
 * Compresses the parser and the grammars that outlines need into `dist/grammars`, each anew only if it has changed.
 */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const TARGET = 'dist/grammars';
const PACKAGES = {
  '@repomix/tree-sitter-wasms': 'c c_sharp cpp css go java javascript php python ruby rust tsx typescript',
  '@cursorless/tree-sitter-wasms': 'bash elixir html kotlin lua scala swift',
};

const require = createRequire(import.meta.url);
const compress = promisify(brotliCompress);
const folderOf = (name) => join(require.resolve(`${name}/package.json`), '..');
const timeOf = (file) =>
  stat(file).then(
    (stats) => stats.mtimeMs,
    () => 0,
  );

async function pack(source, name) {
  const target = join(TARGET, `${name}.wasm.br`);
  const times = await Promise.all([source, join(source, '../../package.json'), target].map(timeOf));
  if (Math.max(times[0], times[1]) <= times[2]) return;
  const bytes = await readFile(source);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await writeFile(target, await compress(bytes, { params }));
}

await mkdir(TARGET, { recursive: true });
const jobs = Object.entries(PACKAGES).flatMap(([name, grammars]) =>
  grammars.split(' ').map((grammar) => {
    const file = `tree-sitter-${grammar}`;
    return pack(join(folderOf(name), 'out', `${file}.wasm`), file);
  }),
);
await Promise.all([
  ...jobs,
  pack(require.resolve('web-tree-sitter/web-tree-sitter.wasm'), 'web-tree-sitter'),
]);
