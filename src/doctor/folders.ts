import { constants, readdirSync, readFileSync } from 'node:fs';
import { access, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Cache } from '../cache/cache.ts';
import { Memory, type Place } from '../memory/memory.ts';
import { parseOwner, stateOf } from '../memory/store/owner.ts';
import type { CacheSettings, SpoolSettings } from '../settings/settings.ts';
import { hasRoot, reasonOf } from '../spool/folders.ts';
import { Spool } from '../spool/spool.ts';
import { size } from '../text/size.ts';
import { plural } from '../text/words.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The folder with memory, statistics and the rest: it must be writable. */
export async function checkDataFolder(folder: string): Promise<Finding> {
  const about = 'data folder';
  try {
    const isThere = await canWrite(folder);
    return ok(about, isThere ? folder : `${folder} is not there yet; it is made when something is kept`);
  } catch (error) {
    const mend = 'Give yourself the right to write there, or set PLIMSOLL_DATA_DIR to another folder.';
    return fail(about, `nothing can be written into ${folder}: ${reasonOf(error)}`, mend);
  }
}

/** The facts, for all work and for the project in the current folder, and the locks on them. */
export async function checkMemory(folder: string, workFolder: string | undefined): Promise<Finding[]> {
  const about = 'memory';
  const memory = new Memory({ folder, workFolder, who: 'doctor' });
  const { places, fault } = memory.where();
  const locks = places.flatMap(lockFindings);
  if (fault !== undefined) {
    return [fail(about, fault, 'Correct or delete that file.'), ...locks];
  }
  try {
    const damaged = (await memory.damage()).map(({ file, repair: { damage } }) => {
      const found = damage ? `${file} is damaged at ${damage.message}` : `${file} is gone`;
      return fail(about, found, 'See plimsoll memory repair.');
    });
    const lost = (await memory.lost()).map(({ file }) =>
      warn(about, `${file} holds facts that were lost`, 'Compare it with what is there, then delete it.'),
    );
    if (damaged.length + lost.length > 0) return [...damaged, ...lost, ...locks];
  } catch (error) {
    const { message } = error as Error;
    return [fail(about, message, 'Correct that, and run plimsoll doctor again.'), ...locks];
  }
  return [ok(about, places.map(({ context }) => context).join(', ')), ...locks];
}

/** What is fetched of repositories. Without it everything is fetched anew. */
export async function checkCache({ folder, limit, enabled }: CacheSettings): Promise<Finding> {
  const about = 'cache';
  if (!enabled) return ok(about, 'it is turned off');
  try {
    if (!(await canWrite(folder))) return ok(about, `${folder} is not there yet`);
    const repositories = await new Cache({ folder, limit }).list();
    const bytes = repositories.reduce((sum, repository) => sum + repository.bytes, 0);
    return ok(about, `${folder}: ${repositories.length} kept, ${size(bytes)} of at most ${size(limit)}`);
  } catch (error) {
    const mend = 'Give yourself the right to write there, or set PLIMSOLL_CACHE_DIR to another folder.';
    return warn(about, `${folder} can not be used: ${reasonFor(error)}`, mend);
  }
}

/** Where the whole of cut results is kept. Without it they are cut all the same. */
export async function checkSpool(settings: SpoolSettings): Promise<Finding> {
  const about = 'spool';
  const { folder, maxBytes } = settings;
  try {
    if (!hasRoot(folder)) {
      await canWrite(folder);
      return ok(about, `${folder} is not there yet`);
    }
    await canWrite(folder);
    const results = await new Spool(settings).list('all');
    const bytes = results.reduce((sum, result) => sum + result.bytes, 0);
    return ok(
      about,
      `${folder}: ${plural(results.length, 'result')}, ${size(bytes)} of at most ${size(maxBytes)}`,
    );
  } catch (error) {
    const mend = 'Give yourself the right to write there, or set PLIMSOLL_SPOOL_DIR to another folder.';
    return warn(about, `${folder} can not be used: ${reasonFor(error)}`, mend);
  }
}

/** Locks that somebody holds who can't be seen, or who is no program of ours. */
function lockFindings({ folder }: Place): Finding[] {
  const names = readNames(folder).filter((name) => /^\..+\.lock$/.test(name));
  return names.flatMap((name) => {
    const file = join(folder, name);
    try {
      const owner = parseOwner(readFileSync(file, 'utf8'));
      const state = owner ? stateOf(owner) : 'gone';
      if (!owner || state === 'gone')
        return [ok('lock', `${file} was left behind; whoever writes next takes it over`)];
      const who = `process ${owner.pid} on ${owner.host}`;
      if (state === 'alive') return [ok('lock', `${who} is writing beside ${file}`)];
      return [
        warn(
          'lock',
          `${file} is held by ${who}, which can't be seen from here`,
          'Delete it if there is none.',
        ),
      ];
    } catch (error) {
      return [fail('lock', `${file} can not be read: ${reasonFor(error)}`, 'Delete it.')];
    }
  });
}

/** Whether a folder is there. Throws if nothing can be written into it, or if it can't be made. */
async function canWrite(folder: string): Promise<boolean> {
  if (!(await isThere(folder))) {
    let parent = dirname(folder);
    while (!(await isThere(parent))) parent = dirname(parent);
    await access(parent, constants.W_OK | constants.X_OK);
    return false;
  }
  const probe = join(folder, `.plimsoll-doctor-${process.pid}`);
  try {
    await (await open(probe, 'w', 0o600)).close();
  } finally {
    await rm(probe, { force: true });
  }
  return true;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function reasonFor(error: unknown): string {
  try {
    return reasonOf(error);
  } catch {
    return (error as Error).message;
  }
}
