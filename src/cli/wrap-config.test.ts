import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { wrapConfig } from './wrap-config.ts';

const CONFIG = '{"mcpServers": {"docs": {"command": "srv", "args": ["a"]}}}\n';

let folder: string;
let file: string;
let main: string;
let stdout: string;
let stderr: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-wrap-config-')));
  file = join(folder, 'mcp.json');
  writeFileSync(file, CONFIG);
  mkdirSync(join(folder, 'plimsoll/dist/cli'), { recursive: true });
  main = join(folder, 'plimsoll/dist/cli/main.js');
  writeFileSync(main, '');
  vi.spyOn(process, 'argv', 'get').mockReturnValue([process.execPath, main]);
  stdout = '';
  stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text: unknown, written: unknown) => {
    stdout += text;
    if (typeof written === 'function') written();
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('a configuration', () => {
  test('is shown and written, and back again', async () => {
    await wrapConfig(file, { yes: true });
    expect(stdout).toMatch(
      /^--- .*\n\+\+\+ .*\n@@ -1,2 \+1,2 @@\n-\{"mcp.*\n\+\{"mcp.*"wrap", "--name", "docs", "--", "srv", "a"/,
    );
    expect(stderr).toContain(`plimsoll: written; '${file}' as it was is in '${file}.plimsoll-backup-1'\n`);
    expect(readFileSync(file, 'utf8')).toContain(
      `"args": ["${main}", "wrap", "--name", "docs", "--", "srv", "a"`,
    );
    await wrapConfig(file, { undo: true, yes: true });
    expect(readFileSync(file, 'utf8')).toBe(CONFIG);
  });

  test('is not written where nobody can be asked', async () => {
    const terminal = process.stdin.isTTY;
    process.stdin.isTTY = false;
    try {
      await expect(wrapConfig(file, {})).rejects.toThrow(/^Nothing is written: .* Give --yes to write\.$/);
    } finally {
      process.stdin.isTTY = terminal;
    }
    expect(stdout).toContain('+++');
    expect(readdirSync(folder)).toEqual(['mcp.json', 'plimsoll']);
    expect(readFileSync(file, 'utf8')).toBe(CONFIG);
  });

  test('in which nothing is to be changed is left alone', async () => {
    await wrapConfig(file, { undo: true });
    expect(stdout).toBe('');
    expect(stderr).toBe(
      `plimsoll: 'docs' stays as it is: it is not wrapped\nplimsoll: nothing to do in '${file}'\n`,
    );
    expect(readdirSync(folder)).toEqual(['mcp.json', 'plimsoll']);
  });

  test('can not act on a terminal', async () => {
    writeFileSync(file, CONFIG.replace('"docs"', '"\\u001b[2Jdocs"').replace('"a"', '"\x9b2J"'));
    await wrapConfig(file, { yes: true });
    expect(stdout + stderr).not.toMatch(/[\x1b\x9b]/);
  });
});
