/** Characters that a tool writes around a file, beside its path. */
const FRAME = 24;

/**
 * What the first `budget` characters of a packed repository hold, as the scorer takes it. The file that they end in is
 * carried by its head.
 *
 * @param files `{ path, text, size, outlined }` in the order in which the tool has them, `size` being that of the file and
 * `outlined` whether `text` is what it defines; blank lines at its ends, which tools leave out, count as carried
 */
export function cutAt(budget, files) {
  let left = budget;
  const carried = [];
  for (const { path, text, size, outlined } of files) {
    left -= FRAME + path.length;
    if (left <= 0) break;
    const whole = !outlined && text.length <= left;
    const chars = whole ? size : Math.min(text.length, size, left);
    carried.push({ path, mode: outlined ? 'outline' : whole ? 'full' : 'head', chars, size });
    left -= text.length;
    if (left <= 0) break;
  }
  return { budget: { limit: budget, used: budget - Math.max(0, left) }, files: carried };
}
