import { join } from 'node:path';
import { type Files, folderWith, git, repositoryWith } from '../repository.ts';

/** A temporary folder with one bare repository, whose only commit has these files; removed when the test ends. */
export function rootWith(name: string, files: Files): string {
  const root = folderWith({});
  git(root, 'clone', '-q', '--bare', repositoryWith(files), join(root, name));
  return root;
}
