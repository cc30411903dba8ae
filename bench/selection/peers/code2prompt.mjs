// code2prompt for the scorer: `node bench/selection/peers/code2prompt.mjs CHECKOUT BUDGET [CODE2PROMPT_OPTION …]`.
// code2prompt has no budget, so its files count from the first on as far as the budget goes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { code2prompt } from '../../peers/peers.mjs';
import { cutAt } from './cut.mjs';

const [FILE, TEXT] = ['\u{e000}', '\u{e001}'];

const [checkout, budget, ...options] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'bench-code2prompt-'));
try {
  const template = join(folder, 'files.hbs');
  writeFileSync(template, `{{#each files}}${FILE}{{{path}}}${TEXT}{{{code}}}{{/each}}`);
  const command = [checkout, '--quiet', '--no-codeblock', '-t', template, '-O', '-', ...options];
  const output = execFileSync(code2prompt, command, { encoding: 'utf8', maxBuffer: 1 << 30 });
  const [, ...sections] = output.split(FILE);
  const files = sections.map((section) => {
    const [path, text] = section.split(TEXT);
    return { path, text, size: text.length, outlined: false };
  });
  console.log(JSON.stringify(cutAt(Number(budget), files)));
} finally {
  rmSync(folder, { recursive: true });
}
