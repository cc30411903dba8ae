import { isCode } from '../code.ts';
import { WEIGHTS } from '../weights.ts';
import { byPosition, type Signal } from './signal.ts';

const STEMS = new Set([
  'main',
  'index',
  'lib',
  'app',
  'cli',
  'server',
  'program',
  'application',
  'mod',
  '__init__',
  '__main__',
  'manage',
]);

/** Folders that hold a project's code by custom; being in one is not a step away from the root. */
const CONTAINERS = new Set([
  'src',
  'lib',
  'source',
  'sources',
  'app',
  'cmd',
  'crates',
  'packages',
  'apps',
  'modules',
  'python',
  'main',
  'java',
  'kotlin',
  'com',
  'org',
  'io',
]);

/** Where a program starts, or what others import. */
export const entryPoint: Signal = (file) => {
  if (!isCode(file.language)) return undefined;
  const dot = file.name.indexOf('.');
  if (!STEMS.has(dot < 0 ? file.name : file.name.slice(0, dot))) return undefined;
  let down = 0;
  for (const folder of file.folders) if (!CONTAINERS.has(folder)) down++;
  return {
    points: byPosition(WEIGHTS.entryPoint, down),
    why: 'an entry point by its name',
  };
};
