/** The languages that can be outlined, by Linguist's names: apart from how, so that asking loads nothing else. */
export const NAMES: ReadonlySet<string> = new Set([
  'Go',
  'JavaScript',
  'Python',
  'Rust',
  'Starlark',
  'TSX',
  'TypeScript',
]);
