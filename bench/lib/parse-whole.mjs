// Parses a whole file as JSON: `node bench/lib/parse-whole.mjs PATH`.
import { readFileSync } from 'node:fs';

JSON.parse(readFileSync(process.argv[2], 'utf8'));
