import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { Language, Parser } from 'web-tree-sitter';
import { built } from './built.ts';

const PAGE = 65_536;
const INITIAL_PAGES = 33_554_432 / PAGE;
/** Of the parser and its trees; a file that needs more makes it fail. */
const MOST_PAGES = 402_653_184 / PAGE;

/** What Node has and its types lack. */
interface Memory {
  readonly buffer: ArrayBuffer;
}
const { Memory } = (
  globalThis as unknown as {
    WebAssembly: { Memory: new (limits: { initial: number; maximum: number }) => Memory };
  }
).WebAssembly;

const decompress = promisify(brotliDecompress);

async function unpack(name: string): Promise<Uint8Array> {
  return decompress(await readFile(built(`grammars/${name}.wasm.br`)));
}

let memory: Memory | undefined;
let started: Promise<void> | undefined;
const loaded = new Map<string, Promise<Parser>>();

async function start(): Promise<void> {
  memory = new Memory({ initial: INITIAL_PAGES, maximum: MOST_PAGES });
  await Parser.init({ wasmBinary: await unpack('web-tree-sitter'), wasmMemory: memory });
}

async function load(grammar: string): Promise<Parser> {
  started ??= start();
  await started;
  return new Parser().setLanguage(await Language.load(await unpack(`tree-sitter-${grammar}`)));
}

/** The parser of a grammar, which is read when it's first asked for. */
export function parserOf(grammar: string): Promise<Parser> {
  const known = loaded.get(grammar);
  if (known) return known;
  const parser = load(grammar);
  loaded.set(grammar, parser);
  return parser;
}

/** Bytes that parsers and trees have taken; they never give any back. */
export function memoryTaken(): number {
  return memory?.buffer.byteLength ?? 0;
}
