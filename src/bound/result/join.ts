import { type Held, type HeldObject, isHeldObject } from '../../json/held.ts';
import { stringify } from '../../json/stringify.ts';

/** The fields of a block that the joined block has in a way of its own. */
const OWN = ['type', 'text', 'resource', 'annotations', '_meta'];

/**
 * The blocks of a tool's result for clients that hand on only one text: all texts in one block, those of resources
 * too, in order, with an empty line between them, and a line for what is no text; then the blocks that are none. The
 * joined block has what holds for all of its texts: annotations on which they agree, and those of their other fields
 * and of their `_meta` that don't clash. The list itself if there is nothing to join.
 */
export function joinBlocks(blocks: readonly Held[]): readonly Held[] {
  if (blocks.length < 2) return blocks;
  const written = blocks.filter(isWritten);
  const joined = {
    type: 'text',
    text: blocks.map(textOf).join('\n\n'),
    ...unclashing(written.map((block) => without(block, OWN))),
    ...unlessEmpty('annotations', annotationsOf(written.map((block) => objectIn(block, 'annotations')))),
    ...unlessEmpty('_meta', unclashing(written.map((block) => objectIn(block, '_meta')))),
  };
  return [joined, ...blocks.filter((block) => !isWritten(block))];
}

/** For whom the joined text is, if all say so: for all of them; how much it counts: as much as the one that counts most. */
function annotationsOf(all: readonly HeldObject[]): HeldObject {
  const audiences = all.map(({ audience }) => audience);
  const priorities = all.map(({ priority }) => priority).filter((each) => typeof each === 'number');
  return {
    ...agreed(all),
    ...(audiences.length > 0 &&
      audiences.every(Array.isArray) && { audience: [...new Set(audiences.flat())] }),
    ...(priorities.length > 0 && { priority: Math.max(...priorities) }),
  };
}

/** The fields that all have, with the same value. */
function agreed(all: readonly HeldObject[]): HeldObject {
  const kept = Object.entries(unclashing(all)).filter(([key]) => all.every((each) => key in each));
  return Object.fromEntries(kept);
}

/** The fields of all, but for those that have different values. */
function unclashing(all: readonly HeldObject[]): HeldObject {
  const entries = all.flatMap((each) => Object.entries(each));
  const values = new Map<string, Set<string>>();
  for (const [key, value] of entries) values.set(key, (values.get(key) ?? new Set()).add(stringify(value)));
  return Object.fromEntries(entries.filter(([key]) => values.get(key)?.size === 1));
}

function objectIn(block: HeldObject, key: string): HeldObject {
  const value = block[key];
  return isHeldObject(value) ? value : {};
}

function without(block: HeldObject, keys: readonly string[]): HeldObject {
  return Object.fromEntries(Object.entries(block).filter(([key]) => !keys.includes(key)));
}

function unlessEmpty(key: string, value: HeldObject): HeldObject {
  return Object.keys(value).length > 0 ? { [key]: value } : {};
}

/** Whether all that a block says stands in the joined text. */
function isWritten(block: Held): block is HeldObject {
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
