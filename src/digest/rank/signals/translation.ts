import { WEIGHTS } from '../weights.ts';
import { remembering, type Signal } from './signal.ts';

const LOCALE_HOME = /^(i18n|l10n|lang|langs|languages?|locales?|messages|translations?)$/;
const isLocaleHome = remembering((folder) => LOCALE_HOME.test(folder));

/** A copy in another language of a document, or of a file of messages, that is here in its own. */
export const translation: Signal = ({ entry, ecosystem, folders, language }, { originalOf }) => {
  if (ecosystem || language?.type === 'programming') return undefined;
  if (language?.type !== 'prose' && !folders.some(isLocaleHome)) return undefined;
  const original = originalOf(entry.path);
  return original === undefined
    ? undefined
    : { points: WEIGHTS.translation, why: `a translation of ${original}` };
};
