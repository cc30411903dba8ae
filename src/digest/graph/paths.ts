/** The folder of a path; empty for what lies in the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** A name in a folder. */
export function within(folder: string, name: string): string {
  if (folder === '') return name;
  return name === '' ? folder : `${folder}/${name}`;
}

/** Where a path leads from a folder; `undefined` out of the source. */
export function follow(folder: string, path: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** A folder and those above it, the root last. */
export function* upwards(folder: string): Generator<string> {
  for (let at = folder; at !== ''; at = folderOf(at)) yield at;
  yield '';
}
