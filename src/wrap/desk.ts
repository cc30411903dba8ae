import type { Limit } from '../measure/limit.ts';
import type { Spool } from '../spool/spool.ts';
import type { Catalog } from './catalog.ts';
import { fieldOf, type Message, textOf } from './requests.ts';

const ADDRESS = /^plimsoll:\/\/spool\/([a-z2-7]*)/;

/** What may be read of a spool. */
export type Readable = Pick<Spool, 'find' | 'list'>;

/** What we answer ourselves. */
export interface OwnAnswer {
  readonly result: Promise<object>;
  /** The tool that reads what is kept, by its own name, or the method that does. */
  readonly reader?: string;
  /** The handle of what is read. */
  readonly handle?: unknown;
}

/** Answers the requests that are for the proxy itself: its tools, its resources. */
export class Desk {
  readonly #spool: Readable;
  readonly #catalog: Catalog;
  readonly #paths: boolean;

  /** `paths` says whether paths of files are told: to clients on this machine. */
  constructor(spool: Readable, catalog: Catalog, paths: boolean) {
    this.#spool = spool;
    this.#catalog = catalog;
    this.#paths = paths;
  }

  /** The answer to a request that is for us, within the limit; undefined if it is for the server. */
  answer({ method, params }: Message, limitOf: (tool?: string) => Limit): OwnAnswer | undefined {
    if (method === 'tools/call') {
      const name = textOf(fieldOf(params, 'name')) ?? '';
      const reader = this.#catalog.readerOf(name);
      if (reader === undefined) return undefined;
      const args = fieldOf(params, 'arguments');
      return { result: this.#call(reader, args, limitOf(name)), reader, handle: fieldOf(args, 'handle') };
    }
    if (method === 'tools/list') return this.#catalog.isAlone ? { result: this.#list() } : undefined;
    const uri = method === 'resources/read' ? textOf(fieldOf(params, 'uri')) : undefined;
    const address = uri === undefined ? null : ADDRESS.exec(uri);
    if (uri === undefined || !address) return undefined;
    return { result: this.#read(uri, limitOf()), reader: 'resources/read', handle: address[1] };
  }

  async #call(reader: string, args: unknown, limit: Limit): Promise<object> {
    const { callReader } = await import('../read/tools.ts');
    const { suffix, lists, hasResources: resources } = this.#catalog;
    const view = { suffix, lists, resources, paths: this.#paths };
    return await callReader(this.#spool, reader, args, limit, view);
  }

  async #list(): Promise<object> {
    return { tools: await this.#catalog.ownTools() };
  }

  async #read(uri: string, limit: Limit): Promise<object> {
    const { readResource } = await import('../read/tools.ts');
    return await readResource(this.#spool, uri, limit);
  }
}
