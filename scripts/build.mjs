/** Generates the language data, then bundles `src` into `dist`. */
import { build } from 'tsdown';

await import('./linguist-data.mjs');
await build({ logLevel: 'warn' });
