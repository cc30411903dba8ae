import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Builds the command, unless the build is newer than all it is made from. */
export function setup(): void {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((name) => join('src', name));
  const inputs = [...sources, 'package.json', 'tsdown.config.ts', 'scripts/build.mjs'];
  const built = statSync('dist/cli/main.js', { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (inputs.some((file) => statSync(file).mtimeMs > built)) {
    execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' });
  }
}
