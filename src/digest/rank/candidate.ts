import type { Language } from '../language/language.ts';
import type { Entry } from '../types.ts';
import { ecosystemOf } from './ecosystems.ts';

const README = /^readme(\.(md|markdown|mdx|rst|adoc|asciidoc|txt|org|rdoc|textile|pod))?$/;

/** Whether a lower-cased file name is that of a README in its original language. */
function isReadme(name: string): boolean {
  return README.test(name);
}

/** A file that may be shown, with what is known of it before it is read. */
export interface Candidate {
  readonly entry: Entry;
  /** Lower-cased file name. */
  readonly name: string;
  /** Lower-cased names of the folders above it, outermost first. */
  readonly folders: readonly string[];
  /** Whether it is a README in its original language. */
  readonly isReadme: boolean;
  /** The languages whose projects it describes, where it is a manifest. */
  readonly ecosystem: readonly string[] | undefined;
  readonly language: Language | undefined;
  /** Another project's code, by its path. */
  readonly vendored: boolean;
  /** Named like a binary. */
  readonly binaryName: boolean;
  /** Asked for by its own name, so that nothing but its being binary keeps it out. */
  readonly named: boolean;
}

export interface Traits {
  readonly language: Language | undefined;
  readonly vendored: boolean;
  readonly binaryName: boolean;
  readonly named: boolean;
}

/** Makes candidates of entries. Neighbours in one folder share its list of names. */
export function candidateMaker(): (entry: Entry, traits: Traits) => Candidate {
  let folder = '';
  let folders: readonly string[] = [];
  return (entry, { language, vendored, binaryName, named }) => {
    const slash = entry.path.lastIndexOf('/');
    const own = slash < 0 ? '' : entry.path.slice(0, slash);
    if (own !== folder) {
      folder = own;
      folders = own === '' ? [] : own.toLowerCase().split('/');
    }
    const fileName = entry.path.slice(slash + 1);
    const name = fileName.toLowerCase();
    const ecosystem = ecosystemOf(fileName, name);
    return {
      entry,
      name,
      folders,
      isReadme: isReadme(name),
      ecosystem,
      language,
      vendored,
      binaryName,
      named,
    };
  };
}
