import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'tsdown';
import { outcomeOf, startModule } from '../../test/scripts.ts';
import { tempFolder } from '../digest/source/fixture.ts';
import { encodeText } from '../text/wtf8.ts';
import { openSpool, type Spool, type SpoolOptions } from './spool.ts';
import type { Kept, NotKept, Origin, Part } from './types.ts';

export const ORIGIN: Origin = { kind: 'tool', server: 'files', name: 'read', arguments: '{"path":"a"}' };

/** A spool in a new folder, gone after the test. */
export function newSpool(options: Partial<SpoolOptions> = {}): { folder: string; spool: Spool } {
  const folder = join(tempFolder(), 'spool');
  return { folder, spool: openSpool({ folder, ...options }) };
}

/** Keeps one text, as part `1`. */
export async function keepText(
  spool: Spool,
  text: string | Buffer,
  as: Parameters<ReturnType<Awaited<ReturnType<Spool['begin']>>['part']>['close']>[0] = { kind: 'text' },
): Promise<Kept | NotKept> {
  const draft = await spool.begin(ORIGIN);
  const part = draft.part('1', '/content/0/text');
  part.write(typeof text === 'string' ? encodeText(text) : text);
  part.close(as);
  return await draft.publish();
}

/** What is kept, where it must be. */
export function asKept(kept: Kept | NotKept): Kept {
  if ('reason' in kept) throw new Error(`It was not kept: ${kept.reason}`);
  return kept;
}

/** A part of a kept result, where it must be. */
export function partOf(kept: Kept | NotKept, name = '1'): Part {
  const part = asKept(kept).parts.find((part) => part.name === name);
  if (!part) throw new Error(`There is no part '${name}'.`);
  return part;
}

export function readText(path: string | undefined): string {
  return readFileSync(path as string, 'utf8');
}

/** Makes in `folder` what `startScript` runs. */
export async function buildSpool(folder: string): Promise<void> {
  const rest = { config: false, format: 'esm', clean: false, dts: false, logLevel: 'silent' } as const;
  await build({ entry: 'src/spool/spool.ts', outDir: folder, ...rest });
}

/** What a script has besides its arguments in `args`. */
const PRELUDE = `
  import { openSpool } from './spool.mjs';
  const args = process.argv.slice(1);
  const ORIGIN = { kind: 'tool', name: 'read' };
  async function keep(spool, bytes) {
    const draft = await spool.begin(ORIGIN);
    const part = draft.part('1', '');
    part.write(bytes);
    part.close({ kind: 'text' });
    return await draft.publish();
  }
`;

/** Starts a JavaScript module that may use a spool, in a process of its own, where it was built. */
export function startScript(...start: Start): ChildProcess {
  return startModule(PRELUDE, ...start);
}

/** Runs such a module to its end, and gives its exit code and what it printed, errors included. */
export function runScript(...start: Start): Promise<[number | null, string]> {
  return outcomeOf(startScript(...start));
}

type Start = [built: string, script: string, args: readonly string[], setup?: string];
