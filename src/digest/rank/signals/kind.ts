import { isCode } from '../code.ts';
import { WEIGHTS } from '../weights.ts';
import { type Contribution, remembering, type Signal } from './signal.ts';

const LEGAL =
  /^(un)?(licen[cs]e|copying|notice|patents|authors|contributors|code[-_]of[-_]conduct|security|citation|codeowners)([-_.].*)?$/;
const CHANGES = /^(changelog|changes|history|news|release[-_]?notes|releases?)([-_.].*)?$/;
const CHANGES_FOLDER = /^(changelogs?|changesets?|\.changeset|\.changes|release[-_]?notes|newsfragments)$/;
const isChangesFolder = remembering((folder) => CHANGES_FOLDER.test(folder));

const PROGRAM: Contribution = { points: WEIGHTS.program, why: 'source code' };
const PROSE: Contribution = { points: WEIGHTS.prose, why: 'a document' };
const DATA: Contribution = { points: WEIGHTS.data, why: 'data' };
const MARKUP: Contribution = { points: WEIGHTS.markup, why: 'markup' };
const UNKNOWN: Contribution = { points: WEIGHTS.unknownKind, why: 'of no known language' };
const LEGAL_TEXT: Contribution = { points: WEIGHTS.legal, why: 'legal or community text' };
const CHANGE_LOG: Contribution = { points: WEIGHTS.changelog, why: 'a list of changes' };
const HOUSEKEEPING: Contribution = { points: WEIGHTS.housekeeping, why: 'settings of tools' };

/** What sort of thing a file is: code says most, legal text and lists of changes least. */
export const kind: Signal = (file) => {
  const { name, folders, language, isReadme, ecosystem } = file;
  const code = isCode(language);
  const type = language?.type;
  if ((type === 'prose' || !language) && isAtHome(folders)) {
    if (LEGAL.test(name)) return LEGAL_TEXT;
    if (CHANGES.test(name)) return CHANGE_LOG;
  }
  if (!code && folders.some(isChangesFolder)) return CHANGE_LOG;
  if (type !== 'prose' && (name.startsWith('.') || folders.some(isHidden))) return HOUSEKEEPING;
  if (ecosystem) return DATA;
  if (isReadme) return undefined;
  if (code) return PROGRAM;
  switch (type) {
    case 'prose':
      return PROSE;
    case 'data':
      return DATA;
    case 'markup':
      return MARKUP;
    default:
      return UNKNOWN;
  }
};

/** At the root or in `.github`, where documents about the project as a whole stand. */
function isAtHome(folders: readonly string[]): boolean {
  return folders.length === 0 || (folders.length === 1 && folders[0] === '.github');
}

function isHidden(folder: string): boolean {
  return folder.charCodeAt(0) === 46 && folder.length > 1;
}
