import { PlimsollError } from '../../../errors.ts';
import { visibleName } from '../../../text/visible.ts';
import { FOLDER, type Objects, SUBMODULE } from '../objects.ts';
import type { RemoteAddress } from './address/address.ts';

/** Where in a commit a digest is made. */
export interface Place {
  /** The folder, with a slash at its end; empty for the root. */
  readonly prefix: string;
  /** The file asked for, by its path below the folder. */
  readonly askedFor?: string;
}

/**
 * The folder that a path names, or that of the file that it names. Throws `SOURCE_NOT_FOUND` where there is neither,
 * `SOURCE_NOT_A_FOLDER` for a submodule.
 */
export async function locate(
  objects: Objects,
  path: string,
  ref: string,
  address: RemoteAddress,
): Promise<Place> {
  if (path === '') return { prefix: '' };
  const item = (await objects.find([path])).find((found) => found.path === path);
  const where = `${visibleName(path)} in ${visibleName(address.url)} at ${visibleName(ref)}`;
  if (!item) throw new PlimsollError('SOURCE_NOT_FOUND', `There is no ${where}: check the path.`);
  if (item.mode === FOLDER) return { prefix: `${path}/` };
  if (item.mode === SUBMODULE) {
    throw new PlimsollError('SOURCE_NOT_A_FOLDER', `${where} is another repository: name that one.`);
  }
  const slash = path.lastIndexOf('/') + 1;
  return { prefix: path.slice(0, slash), askedFor: path.slice(slash) };
}
