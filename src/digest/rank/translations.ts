/** Languages that documents are translated into, by ISO 639-1 and by the country codes used in their place. */
const CODES =
  'af|am|ar|az|be|bg|bn|br|bs|ca|cn|cs|cy|da|de|el|eo|es|et|eu|fa|fi|fil|fr|ga|gl|gu|he|hi|hr|hu|hy|id|is|it|ja|jp|ka|kk|km|kn|ko|kr|ku|ky|lo|lt|lv|mk|ml|mn|mr|ms|my|nb|ne|nl|nn|no|pa|pl|ps|pt|ro|ru|si|sk|sl|sq|sr|sv|sw|ta|te|tg|th|tl|tr|tw|ua|uk|ur|uz|vi|zh';
const NAMES =
  'arabic|bengali|bulgarian|chinese|croatian|czech|danish|dutch|farsi|finnish|french|german|greek|hebrew|hindi|hungarian|indonesian|italian|japanese|korean|norwegian|persian|polish|portuguese|romanian|russian|serbian|simplified|slovak|spanish|swedish|thai|traditional|turkish|ukrainian|urdu|vietnamese';
const LOCALE = `(?:(?:${CODES})(?:[-_](?:[a-z]{2}|[a-z]{4}|[0-9]{3})){0,2}|${NAMES})`;

/** `README.zh-CN.md`: what comes before the locale, and the ending after it. */
const IN_NAME = new RegExp(`^(.+?)[-_.]${LOCALE}(\\.[^.]+)?$`, 'i');
/** `docs/zh/guide.md`, `locales/fr.json`: a part of the path that is nothing but a locale. */
const FOLDER = new RegExp(`^${LOCALE}$`, 'i');
const LOCALE_FILE = new RegExp(`^${LOCALE}(\\.[^.]+)$`, 'i');
const QUICK = new RegExp(`(^|[-_./])${LOCALE}([./]|$)`, 'i');

/** Folders below which a folder named like a locale is one, not a package. */
const HOMES = new Set([
  'docs',
  'doc',
  'i18n',
  'l10n',
  'lang',
  'locale',
  'locales',
  'readme',
  'readmes',
  'translations',
]);

const ORIGINAL_FOLDERS = ['en', 'en-us', 'en-US', 'en_US', 'en-gb', 'en-GB', 'en_GB'];

/**
 * Tells of which document another is the copy in another language, by the names of both. A file that only
 * looks translated (no original beside it, above it, or in the English folder) is an original itself.
 *
 * @param exists whether a path is in the source
 */
export function translations(exists: (path: string) => boolean): (path: string) => string | undefined {
  return (path) => {
    if (!QUICK.test(path)) return undefined;
    return byName(path, exists) ?? byFolder(path, exists);
  };
}

function byName(path: string, exists: (path: string) => boolean): string | undefined {
  const slash = path.lastIndexOf('/') + 1;
  const name = path.slice(slash);
  const own = LOCALE_FILE.exec(name);
  if (own) {
    for (const english of ORIGINAL_FOLDERS) {
      const original = path.slice(0, slash) + english + own[1];
      if (exists(original)) return original;
    }
    return undefined;
  }
  const match = IN_NAME.exec(name);
  if (!match) return undefined;
  const stem = match[1] as string;
  const ending = match[2] ?? '';
  let folder = path.slice(0, slash);
  for (;;) {
    for (const original of [folder + stem + ending, `${folder + stem}.en${ending}`]) {
      if (original !== path && exists(original)) return original;
    }
    if (folder === '') return undefined;
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  }
}

function byFolder(path: string, exists: (path: string) => boolean): string | undefined {
  const parts = path.split('/');
  for (let i = 0; i < parts.length - 1; i++) {
    if (!FOLDER.test(parts[i] as string)) continue;
    const before = parts.slice(0, i);
    const after = parts.slice(i + 1);
    const candidates = [
      [...before, ...after],
      ...ORIGINAL_FOLDERS.map((english) => [...before, english, ...after]),
    ];
    if (after.length === 1 && (i === 0 || HOMES.has(parts[i - 1] as string)))
      candidates.push(...before.map((_, up) => [...before.slice(0, before.length - 1 - up), ...after]));
    for (const candidate of candidates) {
      const original = candidate.join('/');
      if (exists(original)) return original;
    }
  }
  return undefined;
}
