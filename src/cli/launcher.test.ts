import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fromNpm, launcher } from './launcher.ts';

const NPX = { command: 'npx', args: ['-y', 'plimsoll'] };

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-launcher-')));
});

afterEach(() => rmSync(folder, { recursive: true }));

function make(name: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  return file;
}

function link(name: string, to: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(to, file);
  return file;
}

test('clients run the program as it was run, by the file that a link leads to', () => {
  const main = make('lib/node_modules/plimsoll/dist/cli/main.js');
  const bin = link('bin/plimsoll', '../lib/node_modules/plimsoll/dist/cli/main.js');
  expect(launcher(bin)).toEqual({ command: process.execPath, args: [main] });
});

test('a folder that is a link stays one: behind it is another version after an update', () => {
  make('.pnpm/plimsoll@0.1.0/node_modules/plimsoll/dist/cli/main.js');
  const own = link('node_modules/plimsoll', '../.pnpm/plimsoll@0.1.0/node_modules/plimsoll');
  expect(launcher(join(own, 'dist/cli/main.js')).args).toEqual([join(own, 'dist/cli/main.js')]);
});

test.each(['_npx/1a2b', 'pnpm/dlx/1a2b', 'bunx-0-plimsoll@latest'])(
  'they run it from npm if it is in %s, which is cleared away',
  (place) => {
    expect(launcher(make(`${place}/node_modules/plimsoll/dist/cli/main.js`))).toEqual(NPX);
  },
);

test('on Windows npx needs the command line', () => {
  expect(fromNpm('win32')).toEqual({ command: 'cmd', args: ['/c', 'npx', '-y', 'plimsoll'] });
  expect(fromNpm('darwin')).toEqual(NPX);
});

test('of Homebrew, Node is run by the name without a version, if that leads to it', () => {
  const main = make('main.js');
  const node = make('Cellar/node@22/22.1.0/bin/node');
  expect(launcher(main, node).command).toBe(node);
  link('opt/node@22', '../Cellar/node@22/22.1.0');
  expect(launcher(main, node).command).toBe(join(folder, 'opt/node@22/bin/node'));
});
