// repomix for the scorer: `node bench/selection/peers/repomix.mjs CHECKOUT BUDGET [--last] [REPOMIX_OPTION …]`.
// repomix has no budget that it fits, so its files count as far as the budget goes: from its first file on, or with
// `--last` from its last one back, where it puts what changed most. All it says beside them is left out.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node22, repomix, repomixVersion } from '../../peers/peers.mjs';
import { cutAt } from './cut.mjs';

repomixVersion();
const [checkout, budget, ...rest] = process.argv.slice(2);
const options = rest.filter((option) => option !== '--last');
const folder = mkdtempSync(join(tmpdir(), 'bench-repomix-'));
const output = join(folder, 'out.json');
try {
  const command = [repomix, '.', '-o', output, '--style', 'json', '--quiet', ...options];
  execFileSync(node22, command, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
  const { files } = JSON.parse(readFileSync(output, 'utf8'));
  const packed = Object.entries(files).map(([path, text]) => {
    const size = readFileSync(join(checkout, path), 'utf8').length;
    return { path, text, size, outlined: options.includes('--compress') && text.length < size * 0.95 };
  });
  const report = cutAt(Number(budget), rest.includes('--last') ? packed.reverse() : packed);
  console.log(JSON.stringify(report));
} finally {
  rmSync(folder, { recursive: true });
}
