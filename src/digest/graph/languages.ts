import type { ImportLanguage } from './language.ts';
import { c } from './languages/c.ts';
import { csharp } from './languages/csharp.ts';
import { dart } from './languages/dart.ts';
import { haskell, lua, perl } from './languages/dotted.ts';
import { elixir } from './languages/elixir.ts';
import { go } from './languages/go.ts';
import { jvm } from './languages/jvm.ts';
import { php } from './languages/php.ts';
import { python } from './languages/python.ts';
import { julia, r, shell, zig } from './languages/quoted.ts';
import { ruby } from './languages/ruby.ts';
import { rust } from './languages/rust.ts';
import { script } from './languages/script.ts';
import { swift } from './languages/swift.ts';

const ALL = [
  c,
  csharp,
  dart,
  elixir,
  go,
  haskell,
  julia,
  jvm,
  lua,
  perl,
  php,
  python,
  r,
  ruby,
  rust,
  script,
  shell,
  swift,
  zig,
];

/** How files import each other, by Linguist's name of their language. */
export const LANGUAGES: ReadonlyMap<string, ImportLanguage> = new Map(
  ALL.flatMap((language) => language.names.map((name) => [name, language] as const)),
);
