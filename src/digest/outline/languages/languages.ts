import type { Syntax } from '../walk.ts';
import { c, cpp } from './c.ts';
import { csharp } from './csharp.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { kotlin } from './kotlin.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { swift } from './swift.ts';
import { javascript, tsx, typescript } from './typescript.ts';

/** How each language is outlined, by Linguist's name of it. */
export const languages: ReadonlyMap<string, Syntax> = new Map([
  ['C', c],
  ['C#', csharp],
  ['C++', cpp],
  ['Cuda', cpp],
  ['Go', go],
  ['Gradle Kotlin DSL', kotlin],
  ['Java', java],
  ['JavaScript', javascript],
  ['Kotlin', kotlin],
  ['PHP', php],
  ['Python', python],
  ['Ruby', ruby],
  ['Rust', rust],
  ['Starlark', python],
  ['Swift', swift],
  ['TSX', tsx],
  ['TypeScript', typescript],
]);
