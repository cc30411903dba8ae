import { type Held, type HeldObject, isHeldObject } from '../../json/held.ts';

/**
 * The blocks of a tool's result for clients that hand on only one text: all texts in one block, those of resources
 * too, in order, with an empty line between them, and a line for what is no text; then the blocks that are none. The
 * list itself if there is nothing to join.
 */
export function joinBlocks(blocks: readonly Held[]): readonly Held[] {
  const [first, ...rest] = blocks;
  if (rest.length === 0 || first === undefined) return blocks;
  const texts = blocks.map((block) => textOf(block));
  const start = blocks.find((block): block is HeldObject => isHeldObject(block) && block.type === 'text');
  const joined = { ...start, type: 'text', text: texts.join('\n\n') };
  return [joined, ...blocks.filter((block) => !isWritten(block))];
}

/** Whether all that a block says stands in the joined text. */
function isWritten(block: Held): boolean {
  if (!isHeldObject(block)) return false;
  return block.type === 'text' || (isHeldObject(block.resource) && typeof block.resource.text === 'string');
}

function textOf(block: Held): string {
  if (!isHeldObject(block)) return '[a block that is no object]';
  const resource = isHeldObject(block.resource) ? block.resource : undefined;
  if (block.type === 'text' && typeof block.text === 'string') return block.text;
  if (block.type === 'resource_link')
    return `[${[block.name, block.uri, block.description].filter(isString).join(' · ')}]`;
  if (typeof resource?.text === 'string') return `[${resource.uri}]\n${resource.text}`;
  const name = resource?.uri ?? block.mimeType;
  return `[${typeof block.type === 'string' ? block.type : 'a block'}${isString(name) ? `: ${name}` : ''}]`;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
