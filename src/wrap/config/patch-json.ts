import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { type Change, endOf, Patch, type Style, withEdits } from './patch.ts';

const STYLE: Style = {
  commentOrComma: /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,/g,
  colon: ': ',
  key: (name) => JSON.stringify(name),
  text: (value) => JSON.stringify(value),
};

/**
 * JSON text, with comments as it may be, in which other values stand at some paths, none within another. What stays
 * the same stays byte for byte, comments always; what is new looks like what is around it.
 */
export function patchJson(text: string, changes: readonly Change[]): string {
  const root = treeOf(text);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const edits = changes.map(({ path, old, value, names }) => {
    const node = root && findNodeAtLocation(root, [...path]);
    if (!node) throw new Error(`There is nothing at ${path.join('/')}.`);
    const patched = new Patch(text, STYLE, [node]).patched(
      node,
      old,
      value,
      path.length === 0 ? newline : ' ',
      names,
    );
    return { from: node.offset, to: endOf(node), text: patched };
  });
  return withEdits(text, edits);
}

export function treeOf(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true });
}
