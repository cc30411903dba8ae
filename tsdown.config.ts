import { writeFileSync } from 'node:fs';
import { defineConfig } from 'tsdown';
import { noticesOf } from './scripts/notices.ts';

/**
 * Dependencies are bundled: reading their many small files costs more at every start than all else does.
 * Modules that are imported lazily stay in files of their own.
 */
export default defineConfig({
  entry: { index: 'src/index.ts', 'digest/digest': 'src/digest/digest.ts', 'cli/main': 'src/cli/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
  hash: false,
  shims: true,
  deps: { alwaysBundle: [/./] },
  dts: { entry: ['src/index.ts', 'src/digest/digest.ts'] },
  logLevel: 'warn',
  hooks: {
    'build:done': ({ chunks }) => {
      const modules = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
      writeFileSync('dist/THIRD-PARTY-NOTICES.txt', noticesOf(modules));
    },
  },
});
