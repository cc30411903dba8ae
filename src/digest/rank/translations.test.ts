import { describe, expect, it } from 'vitest';
import { translations } from './translations.ts';

function originalOf(path: string, others: string[]): string | undefined {
  const paths = new Set([path, ...others]);
  return translations((candidate) => paths.has(candidate))(path);
}

describe('translations', () => {
  it.each([
    ['README.zh-CN.md', ['README.md'], 'README.md'],
    ['README-zh.md', ['README.md'], 'README.md'],
    ['README_ja.md', ['README.md'], 'README.md'],
    ['README-pt_BR.md', ['README.md'], 'README.md'],
    ['README_CN.md', ['README.md'], 'README.md'],
    ['README.Korean.md', ['README.md'], 'README.md'],
    ['README.zh-Hant.md', ['README.md'], 'README.md'],
    ['docs/README.fr.md', ['README.md'], 'README.md'],
    ['docs/translations/README-de.md', ['README.md'], 'README.md'],
    ['docs/zh/guide.md', ['docs/guide.md'], 'docs/guide.md'],
    ['docs/zh-CN/guide/start.md', ['docs/en/guide/start.md'], 'docs/en/guide/start.md'],
    ['translations/es/README.md', ['README.md'], 'README.md'],
    ['locales/fr.json', ['locales/en.json'], 'locales/en.json'],
    ['guide.ru.rst', ['guide.en.rst'], 'guide.en.rst'],
  ])('%s beside %j', (path, others, original) => {
    expect(originalOf(path, others)).toBe(original);
  });

  it.each([
    ['README.zh-CN.md', ['LICENSE']],
    ['README.md', ['README.zh.md']],
    ['docs/it/adapter.md', ['docs/es/other.md']],
    ['src/is.md', ['src/a.md']],
    ['notes-v2.md', ['notes.md']],
    ['README-dev.md', ['README.md']],
    ['README-old.md', ['README.md']],
  ])('%s beside %j is an original', (path, others) => {
    expect(originalOf(path, others)).toBeUndefined();
  });
});
