import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { work } from '../lib/run.mjs';

/** Installs the peers, at the versions that the files beside this one name, into `bench/scratch/peers`. */
const folder = join(work, 'peers');
mkdirSync(folder, { recursive: true });
for (const name of ['package.json', 'package-lock.json', 'requirements.txt']) {
  copyFileSync(new URL(name, import.meta.url), join(folder, name));
}
execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
execFileSync('python3', ['-m', 'venv', 'python'], { cwd: folder, stdio: 'inherit' });
execFileSync('python/bin/pip', ['install', '--quiet', '-r', 'requirements.txt'], {
  cwd: folder,
  stdio: 'inherit',
});
