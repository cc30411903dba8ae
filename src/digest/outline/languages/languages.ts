import type { Syntax } from '../walk.ts';
import { bash } from './bash.ts';
import { c, cpp } from './c.ts';
import { csharp } from './csharp.ts';
import { elixir } from './elixir.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { kotlin } from './kotlin.ts';
import { lua } from './lua.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { scala } from './scala.ts';
import { swift } from './swift.ts';
import { javascript, tsx, typescript } from './typescript.ts';

/** How each language is outlined, by Linguist's name of it. */
export const languages: ReadonlyMap<string, Syntax> = new Map([
  ['C', c],
  ['C#', csharp],
  ['C++', cpp],
  ['Cuda', cpp],
  ['Elixir', elixir],
  ['Go', go],
  ['Gradle Kotlin DSL', kotlin],
  ['Java', java],
  ['JavaScript', javascript],
  ['Kotlin', kotlin],
  ['Lua', lua],
  ['PHP', php],
  ['Python', python],
  ['Ruby', ruby],
  ['Rust', rust],
  ['Scala', scala],
  ['Shell', bash],
  ['Starlark', python],
  ['Swift', swift],
  ['TSX', tsx],
  ['TypeScript', typescript],
]);
