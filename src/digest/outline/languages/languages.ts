import type { Outline } from '../outline.ts';
import type { Syntax } from '../walk.ts';
import { bash } from './bash.ts';
import { c, cpp } from './c.ts';
import { component } from './component.ts';
import { csharp } from './csharp.ts';
import { css } from './css.ts';
import { elixir } from './elixir.ts';
import { go } from './go.ts';
import { html } from './html.ts';
import { java } from './java.ts';
import { json } from './json.ts';
import { kotlin } from './kotlin.ts';
import { lua } from './lua.ts';
import { markdown } from './markdown.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { scala } from './scala.ts';
import { sql } from './sql.ts';
import { swift } from './swift.ts';
import { toml } from './toml.ts';
import { javascript, tsx, typescript } from './typescript.ts';
import { yaml } from './yaml.ts';

/** A table for the walker; for what needs no grammar, a reader. */
export type Language = Syntax | ((text: string) => Outline);

/** How each language is outlined, by Linguist's name of it. */
export const languages: ReadonlyMap<string, Language> = new Map<string, Language>([
  ['C', c],
  ['C#', csharp],
  ['C++', cpp],
  ['CSS', css],
  ['Cuda', cpp],
  ['Elixir', elixir],
  ['Go', go],
  ['Gradle Kotlin DSL', kotlin],
  ['HTML', html],
  ['JSON', json],
  ['JSON with Comments', json],
  ['JSON5', json],
  ['Java', java],
  ['JavaScript', javascript],
  ['Kotlin', kotlin],
  ['Lua', lua],
  ['MDX', markdown],
  ['Markdown', markdown],
  ['PHP', php],
  ['PLSQL', sql],
  ['PLpgSQL', sql],
  ['Python', python],
  ['Ruby', ruby],
  ['Rust', rust],
  ['SQL', sql],
  ['SQLPL', sql],
  ['Scala', scala],
  ['Shell', bash],
  ['Starlark', python],
  ['Svelte', component],
  ['Swift', swift],
  ['TOML', toml],
  ['TSQL', sql],
  ['TSX', tsx],
  ['TypeScript', typescript],
  ['Vue', component],
  ['YAML', yaml],
]);
