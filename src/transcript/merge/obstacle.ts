import type { Document } from '../../memory/context/document.ts';
import { splitKey, writeKey } from '../../memory/context/keys.ts';

/** What would have to go before a fact could be stored: a section in the place of a value, or the reverse. */
export interface Obstacle {
  readonly key: string;
  /** The keys of the first facts that would be lost with it. */
  readonly loses: readonly string[];
  /** How many facts that would be in all. */
  readonly count: number;
}

/** So many facts that would be lost are named. */
const MOST = 5;

/** What memory would refuse a value at a key for. */
export function obstacleAt(key: string, document: Document): Obstacle | undefined {
  const path = splitKey(key);
  for (let length = 1; length <= path.length; length++) {
    const found = document.find(path.slice(0, length), { literal: false });
    if (!found) return undefined;
    const count = found.count();
    const isInTheWay = length < path.length ? found.kind === 'value' : found.kind === 'section' && count > 0;
    if (!isInTheWay) continue;
    const loses = Array.from(found.facts(), (fact) => fact.key).slice(0, MOST);
    return { key: writeKey(found.path), loses, count };
  }
  return undefined;
}
