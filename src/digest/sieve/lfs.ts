/**
 * The pointer file of the Git LFS specification, version 1: a `version` line first, the other keys in
 * alphabetical order, a SHA-256 and the size in bytes. The older address is the one it had before its release.
 */
const POINTER =
  /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\r?\n(?:ext-\d-[^\r\n]+\r?\n)*oid sha256:[0-9a-f]{64}\r?\nsize (\d{1,15})\r?\n?$/;

/** By the specification, a pointer file is shorter than this many bytes. */
const POINTER_LIMIT = 1024;

/**
 * The size in bytes of the file that a Git LFS pointer stands for; `undefined` where the bytes are no pointer.
 *
 * @param bytes a whole file, or at least its first 1,024 bytes
 */
export function isLfsPointer(bytes: Buffer): number | undefined {
  if (bytes.length >= POINTER_LIMIT) return undefined;
  const size = POINTER.exec(bytes.toString('latin1'))?.[1];
  return size === undefined ? undefined : Number(size);
}
