// yek for the scorer: `node bench/selection/peers/yek.mjs CHECKOUT BUDGET`. Its limit is of bytes of the files' contents;
// headings are not counted.
import { execFileSync } from 'node:child_process';
import { yek } from '../../peers/peers.mjs';

const [checkout, budget] = process.argv.slice(2);
const command = ['--json', '--max-size', `${budget}B`, '.'];
const output = execFileSync(yek, command, { cwd: checkout, encoding: 'utf8', maxBuffer: 1 << 30 });
const files = JSON.parse(output).map(({ filename, content }) => ({
  path: filename.replace(/^\.\//, ''),
  mode: 'full',
  chars: content.length,
  size: content.length,
}));
const used = files.reduce((sum, { chars }) => sum + chars, 0);
console.log(JSON.stringify({ budget: { limit: Number(budget), used }, files }));
