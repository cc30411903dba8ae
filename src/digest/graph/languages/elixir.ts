import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Modules } from '../modules.ts';
import { finds, spread } from '../scan.ts';

const STATEMENT = /("""|#)|^[ \t]*(?:alias|import|use|require)[ \t(]+([A-Z][\w.]*)(?:\{([^{}]*)\})?/gm;

function* read(text: string): Generator<string> {
  for (const [, , name = '', list] of finds(text, STATEMENT)) yield* spread(name, list);
}

/** `MyApp.HTTPClient` as `my_app/http_client`. */
function pathOf(module: string): string {
  return module
    .replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2')
    .replaceAll('.', '/')
    .toLowerCase();
}

function resolver({ paths }: Sources): Resolve {
  const modules = new Modules(paths, { endings: ['.ex', '.exs'] });
  return (spec, from) => {
    const path = pathOf(spec);
    return modules.endingWith(path.includes('/') ? path : `lib/${path}`, from);
  };
}

export const elixir: ImportLanguage = { names: ['Elixir'], read, resolver };
