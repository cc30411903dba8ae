/** Generates the language data, bundles `src` into `dist`, and puts the grammars beside it. */
import { build } from 'tsdown';

await import('./linguist-data.mjs');
await build({ logLevel: 'warn' });
await import('./grammars.mjs');
