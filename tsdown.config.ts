import { writeFileSync } from 'node:fs';
import { defineConfig } from 'tsdown';
import { noticesOf } from './scripts/notices.ts';

/**
 * What is imported of `devDependencies` is bundled: reading packages' many files takes longer at every start,
 * and installing them longer still. Modules that are imported lazily stay in files of their own. secretlint's
 * rules are one lazily imported file already, which holds others' code under licenses it doesn't list: they stay
 * a dependency.
 */
export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'bound/bound': 'src/bound/bound.ts',
    'digest/digest': 'src/digest/digest.ts',
    'memory/memory': 'src/memory/memory.ts',
    'transcript/transcript': 'src/transcript/transcript.ts',
    'cli/main': 'src/cli/main.ts',
    'outline/outliner': 'src/digest/outline/outliner.ts',
    'outline/worker': 'src/digest/outline/worker.ts',
  },
  // Grammars take long to compress; `scripts/grammars.mjs` keeps them up to date.
  clean: ['dist/*', '!dist/grammars'],
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
  hash: false,
  shims: true,
  // What its `main` names loads its files in a way that no bundler sees.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  dts: {
    entry: [
      'src/index.ts',
      'src/bound/bound.ts',
      'src/digest/digest.ts',
      'src/memory/memory.ts',
      'src/transcript/transcript.ts',
    ],
  },
  inputOptions: { checks: { pluginTimings: false, eval: false } },
  hooks: {
    'build:done': ({ chunks }) => {
      const modules = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
      writeFileSync('dist/THIRD-PARTY-NOTICES.txt', noticesOf(modules));
    },
  },
});
