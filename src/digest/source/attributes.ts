import type { Attributes } from '../types.ts';
import { compileGlob } from './glob.ts';
import { byteString, decodeName } from './names.ts';
import { Nested, parentOf } from './nested.ts';

type Key = keyof Attributes;
type Value = string | boolean | undefined;

interface AttributeRule {
  readonly byName: boolean;
  readonly matches: (text: string) => boolean;
  readonly sets: ReadonlyMap<Key, Value>;
}

interface AttributeFile {
  readonly baseLength: number;
  /** Strongest, that is last, first. */
  readonly rules: readonly AttributeRule[];
}

const NONE: Attributes = Object.freeze({});
const KEYS: ReadonlyMap<string, Key> = new Map([
  ['linguist-generated', 'generated'],
  ['linguist-vendored', 'vendored'],
  ['linguist-documentation', 'documentation'],
  ['linguist-language', 'language'],
  ['filter', 'lfs'],
]);

/** Git leaves longer lines out. */
const LINE_LIMIT = 2048;

/**
 * The nested `.gitattributes` files of a tree, by the rules of gitattributes(5): the last line that
 * matches wins, deeper files are stronger, a pattern for a folder says nothing about what is in it.
 * Macros of a file's own (`[attr]`) are not heeded.
 */
export class AttributeFiles {
  readonly #files = new Nested<AttributeFile>();

  /** Adds the `.gitattributes` file of a folder (`''` is the root). */
  add(folder: string, content: Buffer): void {
    const rules = parseAttributes(content).reverse();
    const baseLength = folder === '' ? 0 : byteString(folder).length + 1;
    if (rules.length > 0) this.#files.set(folder, { baseLength, rules });
  }

  /** The attributes of a file. */
  of(path: string): Attributes {
    if (this.#files.isEmpty) return NONE;
    const files = this.#files.around(parentOf(path));
    if (files.length === 0) return NONE;
    const text = byteString(path);
    const name = text.slice(text.lastIndexOf('/') + 1);
    let found: Map<Key, Value> | undefined;
    for (const { baseLength, rules } of files) {
      const below = baseLength === 0 ? text : text.slice(baseLength);
      for (const rule of rules) {
        if (!rule.matches(rule.byName ? name : below)) continue;
        found ??= new Map();
        for (const [key, value] of rule.sets) if (!found.has(key)) found.set(key, value);
      }
    }
    if (!found) return NONE;
    const attributes: Partial<Record<Key, Value>> = {};
    for (const [key, value] of found) if (value !== undefined) attributes[key] = value;
    return attributes as Attributes;
  }
}

function parseAttributes(content: Buffer): AttributeRule[] {
  const rules: AttributeRule[] = [];
  for (const line of content.toString('latin1').replace(UTF8_MARK, '').split('\n')) {
    if (line.length >= LINE_LIMIT) continue;
    const rule = parseLine(line);
    if (rule) rules.push(rule);
  }
  return rules;
}

const UTF8_MARK = /^\xef\xbb\xbf/;
const LINE = /^[ \t\r]*("(?:[^"\\]|\\.)*"|[^ \t\r]+)(.*)$/s;
const BLANKS = /[ \t\r]+/;
const ATTRIBUTE = /^([-!]?)([A-Za-z0-9_.][-A-Za-z0-9_.]*)(?:=(.*))?$/s;

function parseLine(line: string): AttributeRule | undefined {
  const parts = LINE.exec(line);
  if (!parts) return undefined;
  const pattern = unquote(parts[1] as string);
  if (pattern.startsWith('#') && !line.trimStart().startsWith('"')) return undefined;
  if (pattern.startsWith('!') || pattern.startsWith('[attr]')) return undefined;
  const sets = new Map<Key, Value>();
  for (const word of (parts[2] as string).split(BLANKS)) {
    if (word === '') continue;
    const attribute = ATTRIBUTE.exec(word);
    if (!attribute) return undefined;
    const key = KEYS.get(attribute[2] as string);
    if (key) sets.set(key, settingOf(key, attribute[1] as string, attribute[3]));
  }
  if (sets.size === 0) return undefined;
  const byName = !pattern.includes('/');
  return { byName, matches: compileGlob(pattern.startsWith('/') ? pattern.slice(1) : pattern), sets };
}

function settingOf(key: Key, sign: string, value: string | undefined): Value {
  if (key === 'lfs') return sign === '' && value === 'lfs' ? true : undefined;
  if (key === 'language') {
    return sign === '' && value ? decodeName(Buffer.from(value, 'latin1')) : undefined;
  }
  if (sign === '!') return undefined;
  return sign === '' && value !== 'false';
}

const ESCAPE = /\\([0-7]{3}|.)/gs;
const ESCAPED: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** A pattern in double quotes is quoted as a string in C. */
function unquote(pattern: string): string {
  if (!pattern.startsWith('"') || !pattern.endsWith('"') || pattern.length < 2) return pattern;
  return pattern.slice(1, -1).replace(ESCAPE, (_, code: string) => {
    if (code.length === 3) return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
    return ESCAPED[code] ?? code;
  });
}
