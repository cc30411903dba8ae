import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RawBytes } from './raw.ts';

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-raw-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function textOf(raw: RawBytes, from?: number, to?: number): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of raw.read(from, to)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Has writing to files fail after so many writes, as on a full disk; the one before is cut short. */
async function fillDisk(folder: string, after: number): Promise<void> {
  const file = await open(join(folder, 'any'), 'w');
  const prototype = Object.getPrototypeOf(file);
  await file.close();
  const write = prototype.write;
  let writes = 0;
  const spy = vi.spyOn(prototype, 'write').mockImplementation(async function (
    this: unknown,
    ...args: unknown[]
  ) {
    writes++;
    if (writes > after) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const [bytes, offset, length, position] = args as [Buffer, number, number, number];
    return write.call(this, bytes, offset, writes === after ? 2 : length, position);
  });
  onTestFinished(() => spy.mockRestore());
}

const pieces = ['first ', 'second ', 'third ', 'fourth'];
const whole = pieces.join('');

test.each([0, 1, 2, 4, 100])(
  'with a disk that is full after %i writes, all bytes come back',
  async (after) => {
    const folder = tempFolder();
    await fillDisk(folder, after);
    const raw = new RawBytes(folder);
    for (const piece of pieces) await raw.write(Buffer.from(piece));
    expect(raw.size).toBe(whole.length);
    for (let from = 0; from <= whole.length; from += 3) {
      for (let to = from; to <= whole.length; to += 4)
        expect(await textOf(raw, from, to)).toBe(whole.slice(from, to));
    }
    expect(await textOf(raw)).toBe(whole);
    expect(readdirSync(folder)).toEqual(['any']);
    await raw.close();
    await raw.close();
  },
);
