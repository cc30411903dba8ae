import type { Attributes } from '../types.ts';
import { aliases, extensions, filenames, type Index, interpreters, languages } from './linguist.gen.ts';

/** A language as GitHub Linguist knows it. The same language is the same object each time. */
export interface Language {
  /** Linguist's name, such as `C++` or `Jupyter Notebook`. */
  readonly name: string;
  readonly type: 'programming' | 'markup' | 'prose' | 'data';
  /** One word for a Markdown fence, such as `cpp`. */
  readonly fence: string;
}

const TYPES = ['programming', 'markup', 'prose', 'data'] as const;

const known = languages().map(
  ([name, type, fence]): Language => ({ name, type: TYPES[type] as Language['type'], fence }),
);

function table(index: Index): ReadonlyMap<string, Language> {
  const map = new Map<string, Language>();
  for (let i = 0; i < index.length; i += 2)
    map.set(index[i] as string, known[index[i + 1] as number] as Language);
  return map;
}

const byExtension = table(extensions());
const byFilename = table(filenames());
// Most runs need neither of these.
let byAlias: ReadonlyMap<string, Language> | undefined;
let byInterpreter: ReadonlyMap<string, Language> | undefined;

/** The last digit of `libfoo-1.2` is no section of the manual, as it is in `git.1`. */
const VERSION_END = /\d\.\d$/;

/**
 * The language of a file by its `linguist-language` attribute, else by its name, else by its longest known
 * extension, else by what stands before its name's first dot or dash (`Dockerfile.dev`, `LICENSE-MIT`).
 *
 * @param path parts joined by `/`
 */
export function languageOf(path: string, attributes?: Attributes): Language | undefined {
  if (attributes?.language !== undefined) {
    byAlias ??= table(aliases());
    const named = byAlias.get(attributes.language.toLowerCase().replaceAll(' ', '-'));
    if (named) return named;
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  const named = byFilename.get(name);
  if (named) return named;
  const lower = name.toLowerCase();
  for (let dot = lower.indexOf('.'); dot >= 0; dot = lower.indexOf('.', dot + 1)) {
    const language = byExtension.get(lower.slice(dot));
    if (language && !(dot === lower.length - 2 && VERSION_END.test(lower))) return language;
  }
  const stem = /^\.?[^.-]+(?=[.-])/.exec(name);
  return stem ? byFilename.get(stem[0]) : undefined;
}

/**
 * The language that a file's first line names as its interpreter: `#!/bin/sh`, `#!/usr/bin/env -S deno run`,
 * `#!/usr/bin/env PYTHONPATH=lib python3.12`. For files whose name says nothing.
 *
 * @param text the file's text, or as much of it as its first line
 */
export function languageOfScript(text: string): Language | undefined {
  if (!text.startsWith('#!')) return undefined;
  const end = text.search(/[\r\n]/);
  const words = text
    .slice(2, end < 0 ? 1_000 : end)
    .trim()
    .split(/\s+/);
  let command = words.shift();
  if (command !== undefined && /(^|\/)env$/.test(command)) {
    command = words.find((word) => !word.startsWith('-') && !word.includes('='));
  }
  const program = command?.slice(command.lastIndexOf('/') + 1);
  if (!program) return undefined;
  byInterpreter ??= table(interpreters());
  return byInterpreter.get(program) ?? byInterpreter.get(program.replace(/[-.\d]+$/, ''));
}
