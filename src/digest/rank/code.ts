import type { Language } from '../language/language.ts';

/** What Linguist calls markup and people program in: components, templates, TeX. */
const PROGRAMMED_MARKUP = new Set([
  'Astro',
  'Blade',
  'EJS',
  'HTML+EEX',
  'HTML+ERB',
  'HTML+Razor',
  'Haml',
  'Handlebars',
  'Jinja',
  'Liquid',
  'Marko',
  'Pug',
  'Slim',
  'Svelte',
  'TeX',
  'Twig',
  'Vue',
]);

/** Whether files of a language are source code. */
export function isCode(language: Language | undefined): boolean {
  return language !== undefined && (language.type === 'programming' || PROGRAMMED_MARKUP.has(language.name));
}
