import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

const PACKAGED = /[\\/]node_modules[\\/]/;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-]|$)/i;

/**
 * The licenses of the packages that bundled modules come from, as their terms ask for.
 */
export function noticesOf(modules: readonly string[]): string {
  const folders = new Set(modules.filter((id) => isAbsolute(id) && PACKAGED.test(id)).map(packageOf));
  const notices = [...folders].map(noticeOf).sort();
  return ['Plimsoll includes these packages.\n\n', ...notices].join(`${'-'.repeat(80)}\n\n`);
}

/** The folder of the package that holds a file. */
function packageOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version) return folder;
  }
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n');
}
