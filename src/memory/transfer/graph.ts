import type { Document, Found } from '../context/document.ts';
import { writeKey, writeSegment } from '../context/keys.ts';
import type { NewValue } from '../memory.ts';
import { BadLine } from './bad-line.ts';
import type { Transfer } from './transfer.ts';
import { Values } from './values.ts';

/** The section that another memory's entities go to. */
const ENTITIES = 'entities';

/** The kind of an entity that is a section of facts, each observation a key and its value. */
const SECTION = 'plimsoll section';

/** The kind and the name of the entity with the facts that are in no section. */
const ROOT = 'plimsoll facts';
const ROOT_NAME = 'context.json';

interface Entity {
  readonly type: 'entity';
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

interface Relation {
  readonly type: 'relation';
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

/**
 * Facts as the lines of a knowledge graph, as the MCP reference memory server keeps it. What came from such a graph
 * becomes what it was; any other section is an entity with an observation for each value in it.
 */
export function writeGraph(document: Document): string {
  const entities: Entity[] = [];
  const relations: Relation[] = [];
  const told = new Set<string>();
  const home = document.find([ENTITIES], { literal: false });
  for (const section of home?.children() ?? []) {
    const name = section.path.at(-1) as string;
    const { entityType, observations, links } = entityIn(section);
    if (entityType && observations) {
      told.add(writeKey(entityType.path)).add(writeKey(observations.path));
      entities.push({
        type: 'entity',
        name,
        entityType: JSON.parse(entityType.json()),
        observations: JSON.parse(observations.json()),
      });
    }
    for (const link of links) {
      told.add(writeKey(link.path));
      const relationType = link.path.at(-1) as string;
      for (const to of JSON.parse(link.json()))
        relations.push({ type: 'relation', from: name, to, relationType });
    }
  }
  entities.push(...sectionsOf(document, told));
  return [...entities, ...relations].map((line) => `${JSON.stringify(line)}\n`).join('');
}

function entityIn(section: Found) {
  const children = new Map(section.children().map((child) => [child.path.at(-1), child]));
  const entityType = children.get('entityType');
  const observations = children.get('observations');
  return {
    entityType: entityType && isForeign(entityType.json()) ? entityType : undefined,
    observations: observations && isTexts(observations) ? observations : undefined,
    links: children.get('relations')?.children().filter(isLink) ?? [],
  };
}

/** Whether an entity of the type is taken for what it says, and not for a section of ours. */
function isForeign(type: string): boolean {
  return type.startsWith('"') && ![SECTION, ROOT].includes(JSON.parse(type));
}

/** Whether there is a relation to each of some names; without a name there would be no line. */
function isLink(found: Found): boolean {
  return isTexts(found) && JSON.parse(found.json()).length > 0;
}

function isTexts(found: Found): boolean {
  if (found.kind === 'section') return false;
  const value: unknown = JSON.parse(found.json());
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** An entity for each section, without the facts that are told already. */
function sectionsOf(document: Document, told: ReadonlySet<string>): Entity[] {
  const sections = new Map<string, Entity & { readonly observations: string[] }>();
  for (const { path, key, json } of document.facts()) {
    if (told.has(key)) continue;
    const section = path.slice(0, -1);
    const name = JSON.stringify(section);
    const entity = sections.get(name) ?? {
      type: 'entity',
      name: section.length === 0 ? ROOT_NAME : writeKey(section),
      entityType: section.length === 0 ? ROOT : SECTION,
      observations: [],
    };
    entity.observations.push(`${keyText(path.at(-1) as string)}: ${valueText(json)}`);
    sections.set(name, entity);
  }
  return [...sections.values()];
}

function keyText(segment: string): string {
  return /[:"]/.test(segment) ? JSON.stringify(segment) : segment;
}

/** A text as it is, unless it could be taken for JSON. */
function valueText(json: string): string {
  if (!json.startsWith('"')) return json;
  const text = JSON.parse(json) as string;
  return isJson(text) ? json : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The values in the lines of a knowledge graph. An entity is a section in `entities`, with its
 * type, its observations and its relations; one that `writeGraph` made of a section is that section. Throws `BadLine`.
 */
export function readGraph(text: string): Transfer {
  const values = new Values();
  const observed = new Map<string, string[]>();
  const linked = new Map<string, string[]>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const item = itemOf(line, index + 1);
    if (item.type === 'relation') {
      const key = `${homeOf(item.from)}.relations.${writeSegment(item.relationType)}`;
      addTo(linked, key, [item.to]);
    } else if (item.entityType === SECTION || item.entityType === ROOT) {
      const before = item.entityType === SECTION ? `${item.name}.` : '';
      for (const observation of item.observations) {
        const { key, json } = factOf(observation, index + 1);
        values.set(before + key, json);
      }
    } else {
      values.set(`${homeOf(item.name)}.entityType`, JSON.stringify(item.entityType));
      addTo(observed, `${homeOf(item.name)}.observations`, item.observations);
    }
  }
  for (const [key, texts] of [...observed, ...linked]) values.set(key, JSON.stringify(texts));
  return { values: values.all, repeated: values.repeated, entries: [] };
}

function itemOf(line: string, number: number): Entity | Relation {
  let item: unknown;
  try {
    item = JSON.parse(line);
  } catch {
    throw new BadLine(number, 'this is not JSON');
  }
  const { type, name, entityType, observations, from, to, relationType } = (item ?? {}) as Record<
    string,
    unknown
  >;
  if (type === 'entity') {
    const isSound = Array.isArray(observations) && [name, entityType, ...observations].every(isText);
    if (isSound) return item as Entity;
    throw new BadLine(
      number,
      'an entity needs the texts name and entityType and a list of texts, observations',
    );
  }
  if (type !== 'relation') throw new BadLine(number, 'type is neither "entity" nor "relation"');
  if ([from, to, relationType].every(isText)) return item as Relation;
  throw new BadLine(number, 'a relation needs the texts from, to and relationType');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function homeOf(name: string): string {
  return `${ENTITIES}.${writeSegment(name)}`;
}

function addTo(lists: Map<string, string[]>, key: string, texts: readonly string[]): void {
  const list = lists.get(key) ?? [];
  lists.set(key, [...list, ...texts]);
}

function factOf(observation: string, line: number): NewValue {
  const [, quoted, plain, text] = /^(?:("(?:[^"\\]|\\.)*")|([^":]*)): (.*)$/s.exec(observation) ?? [];
  if (text === undefined || (quoted !== undefined && !isJson(quoted))) {
    throw new BadLine(line, 'an observation of what was a section is a key, a colon and a value');
  }
  const segment = quoted === undefined ? (plain as string) : JSON.parse(quoted);
  return { key: writeSegment(segment), json: isJson(text) ? text : JSON.stringify(text) };
}
