import type { Syntax } from '../walk.ts';
import { go } from './go.ts';
import { python } from './python.ts';
import { rust } from './rust.ts';
import { javascript, tsx, typescript } from './typescript.ts';

/** How each language is outlined, by Linguist's name of it. */
export const languages: ReadonlyMap<string, Syntax> = new Map([
  ['Go', go],
  ['JavaScript', javascript],
  ['Python', python],
  ['Rust', rust],
  ['Starlark', python],
  ['TSX', tsx],
  ['TypeScript', typescript],
]);
