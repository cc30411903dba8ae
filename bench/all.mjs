// Every timing, one after another: `node bench/all.mjs CHECKOUT > bench/RESULTS.md`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const checkout = process.argv[2] ?? process.env.PLIMSOLL_BENCH_CHECKOUT ?? '';
const parts = [
  ['speed.mjs', checkout],
  ['startup.mjs'],
  ['scale.mjs'],
  ['wrap.mjs'],
  ['memory.mjs'],
  ['transcript.mjs'],
  ['serve.mjs'],
  ['serve-load.mjs'],
];

console.log(`# Results

Printed by \`node bench/all.mjs CHECKOUT\`; [README.md](README.md) says what each part does.`);
for (const [script, ...args] of parts) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const result = spawnSync(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.stdout.write(`\n${result.stdout}`);
  if (result.status !== 0) process.exitCode = 1;
}
