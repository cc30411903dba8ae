import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Machine } from './clients.ts';

/** A folder that stands for a whole machine, with a home and a project. */
export class TestMachine {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-discover-')));
  readonly home = this.folder('home/mara');
  readonly work = this.folder('home/mara/boats');

  /** Linux, with the home and the project, unless it is said otherwise. */
  as(other: Partial<Machine> = {}): Machine {
    return { home: this.home, env: {}, platform: 'linux', workFolder: this.work, ...other };
  }

  /** Makes a folder, by its path below the root; gives the absolute one. */
  folder(path: string): string {
    const folder = join(this.root, path);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Writes a file of some bytes, modified some minutes after the start of 2026; gives its absolute path. */
  file(path: string, minute = 0, size = 1): string {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'x'.repeat(size));
    const seconds = Date.UTC(2026, 0, 1, 0, minute) / 1000;
    utimesSync(file, seconds, seconds);
    return file;
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}
