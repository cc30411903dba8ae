import { figure } from '../bound/words.ts';
import { cutHead } from '../text/cut.ts';
import {
  appendTo,
  type Edit,
  edited,
  type Path,
  type Place,
  placesIn,
  prependTo,
  without,
} from './places.ts';
import { fieldOf, textOf } from './requests.ts';

/** The tools that read kept results back, by their own names. */
const LIST = 'plimsoll_list';
const READERS = ['plimsoll_read', 'plimsoll_search', 'plimsoll_select', LIST];

/** Answers in which something is changed before the client gets them. */
const EDITED: readonly string[] = ['initialize', 'server/discover', 'tools/list', 'resources/templates/list'];

/** Where a tool says how many characters of a result Claude Code may take. */
const SIZE_KEY = 'anthropic/maxResultSizeChars';

export interface CatalogOptions {
  /** Whether the tools that read kept results back are offered. */
  readonly tools: boolean;
  /** Whether the one among them that lists what is kept is: yes, if nothing is said. */
  readonly lists?: boolean | undefined;
  /** The most characters of a tool's description and of a server's instructions, if they are to be bounded. */
  readonly descriptions?: number | undefined;
}

/** For whom lists are made. */
export interface Audience {
  /** How many characters of a tool's result may pass; undefined if it isn't bounded. */
  limitOf(tool: string): number | undefined;
}

/** What the server says it offers, and what is added to it for the client. */
export class Catalog {
  readonly #options: CatalogOptions;
  readonly #tools = new Set<string>();
  /** Tools that the client has listed. */
  readonly #told = new Set<string>();
  readonly #schemas = new Map<string, unknown>();
  readonly #withoutSchema = new Set<string>();
  readonly #sizes = new Map<string, unknown>();
  #hasResources = false;
  #isAlone = false;
  /** Parts our tools from tools of the server that have the same names. */
  #suffix = '';

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** What stands behind the own names of our tools here. */
  get suffix(): string {
    return this.#suffix;
  }

  /** Whether our tools are the only ones: the server said it has none. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** What the tools are called that read on and that select, if they are offered. */
  get readers(): { readonly read: string; readonly select: string } | undefined {
    if (!this.#options.tools) return undefined;
    return { read: `plimsoll_read${this.#suffix}`, select: `plimsoll_select${this.#suffix}` };
  }

  /** The own name of the tool of ours that has this name; undefined if it is none of ours. */
  readerOf(name: string): string | undefined {
    if (!this.#options.tools || !name.endsWith(this.#suffix)) return undefined;
    const own = name.slice(0, name.length - this.#suffix.length);
    return this.#isOffered(own) ? own : undefined;
  }

  /** Whether what is kept may be listed. */
  get lists(): boolean {
    return this.#options.lists ?? true;
  }

  /** Whether clients may read resources: the server said that it has some. */
  get hasResources(): boolean {
    return this.#hasResources;
  }

  /** Whether the client has listed a tool. */
  isTold(tool: string): boolean {
    return this.#told.has(tool);
  }

  /** The schema that the client has for a tool's structured results: as far as tools were told to it, or are learned. */
  outputSchemaOf(tool: string | undefined): unknown {
    return tool === undefined ? undefined : this.#schemas.get(tool);
  }

  /** What a tool says in its `_meta` of how much of a result a client may take. */
  toolSizeOf(tool: string): unknown {
    return this.#sizes.get(tool);
  }

  /** Whether the answers to a method are looked through. */
  edits(method: string): boolean {
    return EDITED.includes(method);
  }

  /** Our tools, with the names they have here. */
  async ownTools(): Promise<readonly object[]> {
    const { READER_TOOLS } = await import('../read/tools.ts');
    return READER_TOOLS.filter(({ name }) => this.#isOffered(name)).map((tool) => ({
      ...tool,
      name: `${tool.name}${this.#suffix}`,
    }));
  }

  /**
   * An answer to `method`, changed for the client: our tools and our resources' template stand on the last page of a
   * list, schemas that can't be kept are taken out, long descriptions are cut. All other bytes stay. Undefined if
   * nothing changes.
   */
  async edit(
    method: string,
    json: Buffer,
    message: unknown,
    audience: Audience,
  ): Promise<Buffer | undefined> {
    const result = fieldOf(message, 'result');
    const edits = await this.#editsOf(method, json, result, audience);
    return edits.length === 0 ? undefined : edited(json, edits);
  }

  /**
   * Learns a page of the server's tools for a client that has listed none of them in this session. What would be kept
   * from it in a list is taken to have been kept from it before.
   */
  async learn(result: unknown, audience: Audience): Promise<void> {
    for (const tool of toolsIn(result) ?? []) {
      if (!this.#told.has(textOf(fieldOf(tool, 'name')) ?? '')) await this.#dropsSchema(tool, audience);
    }
    if (isLastPage(result)) this.#chooseSuffix();
  }

  #editsOf(method: string, json: Buffer, result: unknown, audience: Audience): Edit[] | Promise<Edit[]> {
    if (method === 'tools/list') return this.#toolEdits(json, result, audience);
    if (method === 'resources/templates/list') return this.#templateEdits(json, result);
    return this.#serverEdits(json, result);
  }

  #serverEdits(json: Buffer, result: unknown): Edit[] {
    const capabilities = fieldOf(result, 'capabilities');
    this.#hasResources = fieldOf(capabilities, 'resources') !== undefined;
    const hasPrompts = fieldOf(capabilities, 'prompts') !== undefined;
    const hasTools = fieldOf(capabilities, 'tools') !== undefined;
    this.#isAlone = this.#options.tools && !hasTools && (this.#hasResources || hasPrompts);
    const places = new Places(json, [['capabilities'], ['instructions']]);
    return [
      ...(this.#isAlone
        ? places.edit(['capabilities'], (place) => prependTo(json, place, '"tools":{}'))
        : []),
      ...this.#shortened(places, ['instructions'], fieldOf(result, 'instructions')),
    ];
  }

  async #toolEdits(json: Buffer, result: unknown, audience: Audience): Promise<Edit[]> {
    const tools = toolsIn(result);
    if (!tools) return [];
    const places = new Places(json, [
      ['tools'],
      ['tools', '*', 'outputSchema'],
      ['tools', '*', 'description'],
    ]);
    const edits: Edit[] = [];
    for (const [index, tool] of tools.entries()) {
      const path = ['tools', index];
      this.#told.add(textOf(fieldOf(tool, 'name')) ?? '');
      if (await this.#dropsSchema(tool, audience)) {
        edits.push(...places.edit([...path, 'outputSchema'], (place) => without(json, place)));
      }
      edits.push(...this.#shortened(places, [...path, 'description'], fieldOf(tool, 'description')));
    }
    if (!this.#options.tools || !isLastPage(result)) return edits;
    this.#chooseSuffix();
    const ours = JSON.stringify(await this.ownTools()).slice(1, -1);
    return [...edits, ...places.edit(['tools'], (place) => appendTo(json, place, ours))];
  }

  async #templateEdits(json: Buffer, result: unknown): Promise<Edit[]> {
    if (!this.#hasResources || !isLastPage(result)) return [];
    const { resourceTemplates } = await import('../read/tools.ts');
    const ours = JSON.stringify(resourceTemplates()).slice(1, -1);
    const places = new Places(json, [['resourceTemplates']]);
    return places.edit(['resourceTemplates'], (place) => appendTo(json, place, ours));
  }

  /** Learns a tool, and tells whether its schema is kept from the client: once it is, it stays so. */
  async #dropsSchema(tool: unknown, audience: Audience): Promise<boolean> {
    const name = textOf(fieldOf(tool, 'name'));
    if (name === undefined) return false;
    this.#tools.add(name);
    this.#sizes.set(name, fieldOf(fieldOf(tool, '_meta'), SIZE_KEY));
    const schema = fieldOf(tool, 'outputSchema');
    this.#schemas.delete(name);
    if (schema === undefined) return false;
    const limit = audience.limitOf(name);
    if (!this.#withoutSchema.has(name) && limit !== undefined) {
      const { leavesNoRoom, tellsLoss } = await import('../bound/data/schema.ts');
      if (!tellsLoss(schema) || leavesNoRoom(schema, limit)) this.#withoutSchema.add(name);
    }
    if (this.#withoutSchema.has(name)) return true;
    this.#schemas.set(name, schema);
    return false;
  }

  #isOffered(reader: string): boolean {
    return READERS.includes(reader) && (this.lists || reader !== LIST);
  }

  #chooseSuffix(): void {
    for (let count = 2; READERS.some((name) => this.#tools.has(`${name}${this.#suffix}`)); count++) {
      this.#suffix = `_${count}`;
    }
  }

  #shortened(places: Places, path: Path, text: unknown): Edit[] {
    const most = this.#options.descriptions;
    if (most === undefined || typeof text !== 'string' || text.length <= most) return [];
    const literal = JSON.stringify(shortened(text, most));
    return places.edit(path, ({ from, to }) => ({ from, to, text: literal }));
  }
}

function toolsIn(result: unknown): readonly unknown[] | undefined {
  const tools = fieldOf(result, 'tools');
  return Array.isArray(tools) ? tools : undefined;
}

function isLastPage(result: unknown): boolean {
  return fieldOf(result, 'nextCursor') === undefined;
}

/** A text of at most `most` characters that says how much of it is missing. */
function shortened(text: string, most: number): string {
  const note = ` [… Plimsoll: the first of ${figure(text.length)} characters]`;
  return `${cutHead(text, most - note.length)}${note}`;
}

/** The places in an answer's result that may be changed, looked for when the first is. */
class Places {
  readonly #json: Buffer;
  readonly #paths: readonly Path[];
  #found: Map<string, Place> | undefined;

  /** `*` stands for any step of a path; paths start at the result. */
  constructor(json: Buffer, paths: readonly Path[]) {
    this.#json = json;
    this.#paths = paths.map((path) => ['result', ...path]);
  }

  /** The edit for the value at a path; none if there is no such value. */
  edit(path: Path, make: (place: Place) => Edit): Edit[] {
    this.#found ??= new Map(
      placesIn(this.#json, (at) => this.#paths.some((wanted) => matches(at, wanted))).map((place) => [
        JSON.stringify(place.path),
        place,
      ]),
    );
    const place = this.#found.get(JSON.stringify(['result', ...path]));
    return place ? [make(place)] : [];
  }
}

function matches(path: Path, wanted: Path): boolean {
  return path.length === wanted.length && wanted.every((step, index) => step === '*' || step === path[index]);
}
