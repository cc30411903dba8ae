// Parses each line of a file as JSON and drops it: `node bench/lib/parse-lines.mjs PATH`.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: createReadStream(process.argv[2]), crlfDelay: Infinity })) {
  JSON.parse(line);
}
