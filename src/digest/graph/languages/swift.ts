import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Groups } from '../modules.ts';
import { finds } from '../scan.ts';

const IMPORT =
  /^[ \t]*(?:(\/\*)|(?:@\w+[ \t]+){0,5}import[ \t]+(?:(?:class|struct|enum|protocol|func|var|let|typealias)[ \t]+)?(\w+))/gm;
/** A module's files lie below a folder of its name. */
const MODULE = /(?:^|\/)Sources\/([^/]+)\//;

function* read(text: string): Generator<string> {
  for (const found of finds(text, IMPORT)) yield found[2] ?? '';
}

function resolver({ paths }: Sources): Resolve {
  const modules = new Groups();
  for (const path of paths) {
    const name = MODULE.exec(path)?.[1];
    if (name !== undefined) modules.put(name, path);
  }
  return (spec) => modules.at(spec);
}

export const swift: ImportLanguage = { names: ['Swift'], read, resolver };
