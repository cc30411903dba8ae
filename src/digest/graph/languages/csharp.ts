import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Groups } from '../modules.ts';
import { finds } from '../scan.ts';

const DIRECTIVE =
  /^[ \t]*(?:(\/\*)|namespace[ \t]+([\w.]+)|(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?([\w.]+)[ \t]*;)/gm;
const NAMESPACE = 'namespace ';

/** `namespace A.B` for what a file declares; `A.B` for what it uses. */
function* read(text: string): Generator<string> {
  for (const [, , own, used = ''] of finds(text, DIRECTIVE)) yield own === undefined ? used : NAMESPACE + own;
}

function resolver({ paths, imports }: Sources): Resolve {
  const namespaces = new Groups();
  for (const path of paths) {
    for (const spec of imports.get(path) ?? [])
      if (spec.startsWith(NAMESPACE)) namespaces.put(spec.slice(NAMESPACE.length), path);
  }
  return (spec) => {
    const files = namespaces.at(spec);
    // `using static A.B.Type;` and `using X = A.B.Type;`
    return files.length > 0 ? files : namespaces.at(spec.slice(0, Math.max(spec.lastIndexOf('.'), 0)));
  };
}

/** What is used is a namespace: each of the files that declare it has a share. */
export const csharp: ImportLanguage = { names: ['C#'], read, resolver };
