import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { work } from '../lib/run.mjs';

const CRATES = { yek: '0.25.5', code2prompt: '4.3.0' };

/** Installs the peers, at the versions named here and beside this file, into `bench/scratch/peers`. */
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
for (const [name, version] of Object.entries(CRATES)) {
  const options = ['--locked', '--quiet', '--root', 'cargo'];
  execFileSync('cargo', ['install', name, '--version', version, ...options], {
    cwd: folder,
    stdio: 'inherit',
  });
}
