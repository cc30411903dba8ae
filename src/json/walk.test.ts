import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RawNumber } from './held.ts';
import { chunksOf, escapedJson, json, text } from './json.testing.ts';
import { JsonError, type JsonEvents, JsonWalk, type Place } from './walk.ts';

/** Tells events as text, pieces of a text joined. */
class Recorder implements JsonEvents {
  readonly events: string[] = [];
  readonly pieces: string[] = [];
  #text = '';
  openObject(at: Place) {
    this.#add('{', at);
  }
  closeObject(at: Place) {
    this.#add('}', at);
  }
  openArray(at: Place) {
    this.#add('[', at);
  }
  closeArray(at: Place) {
    this.#add(']', at);
  }
  key(key: string, at: Place) {
    this.#add(`key ${JSON.stringify(key)}`, at);
  }
  value(value: null | boolean | number | RawNumber, at: Place) {
    this.#add(value instanceof RawNumber ? `raw ${value.raw}` : `value ${value}`, at);
  }
  openText(at: Place) {
    this.#text = '';
    this.#add('"', at);
  }
  text(piece: string) {
    this.pieces.push(piece);
    this.#text += piece;
  }
  closeText(at: Place) {
    this.#add(`text ${JSON.stringify(this.#text)}`, at);
  }
  #add(what: string, { start, end, chars }: Place) {
    this.events.push(`${what} ${start}-${end} ${chars}`);
  }
}

function walk(bytes: Uint8Array | string, cuts: readonly number[] = [], recorder = new Recorder()): Recorder {
  const walked = new JsonWalk(recorder);
  for (const chunk of chunksOf(Buffer.from(bytes), cuts)) walked.write(chunk);
  walked.finish();
  return recorder;
}

function accepts(bytes: Uint8Array | string, cuts: readonly number[] = []): boolean {
  try {
    walk(bytes, cuts);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(JsonError);
    return false;
  }
}

function parses(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}

test('it tells every token and where it stands', () => {
  expect(walk(' {"é":[1, 1.0,"a\\n😀"] ,"b":null}').events).toEqual([
    '{ 1-2 2',
    'key "é" 2-6 5',
    '[ 7-8 7',
    'value 1 8-9 8',
    'raw 1.0 11-14 13',
    '" 15-16 15',
    'text "a\\n😀" 15-24 21',
    '] 24-25 22',
    'key "b" 27-30 27',
    'value null 31-35 32',
    '} 35-36 33',
  ]);
});

test('however it is split, it tells the same', () => {
  const property = fc.property(
    json,
    fc.array(fc.nat(), { maxLength: 20 }),
    fc.boolean(),
    (value, cuts, escaped) => {
      const source = escaped ? escapedJson(value) : JSON.stringify(value, null, 1);
      expect(walk(source, cuts).events).toEqual(walk(source).events);
    },
  );
  fc.assert(property);
});

test('texts come as JSON.parse reads them, and no piece splits a surrogate pair', () => {
  const property = fc.property(
    text,
    fc.array(fc.nat(), { maxLength: 20 }),
    fc.boolean(),
    (value, cuts, escaped) => {
      const source = escaped ? escapedJson([value]) : JSON.stringify([value]);
      const { events, pieces } = walk(source, cuts);
      expect(events[2]).toContain(`text ${JSON.stringify(value)} `);
      expect(pieces.join('')).toBe(value);
      expect(pieces.filter((piece) => piece === '')).toEqual([]);
      if (value.isWellFormed()) expect(pieces.filter((piece) => !piece.isWellFormed())).toEqual([]);
    },
  );
  fc.assert(property);
});

test('bytes that are not UTF-8 become U+FFFD, as when all are decoded at once', () => {
  const byte = fc.oneof(
    fc.integer({ min: 0x80, max: 0xff }),
    fc.constantFrom(0x61, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0xed, 0xa0),
  );
  const property = fc.property(fc.array(byte), fc.array(fc.nat()), (inner, cuts) => {
    const bytes = Buffer.from([0x22, ...inner, 0x22]);
    expect(walk(bytes, cuts).pieces.join('')).toBe(JSON.parse(bytes.toString()));
  });
  fc.assert(property);
});

test('it accepts and refuses what JSON.parse does', () => {
  const change = fc.record({
    at: fc.nat(),
    gone: fc.nat({ max: 2 }),
    put: fc.constantFrom(...'{}[]",:\\0-+.eEtu \n\u0001x', 'null', ''),
  });
  const property = fc.property(
    json,
    fc.array(change, { maxLength: 2 }),
    fc.array(fc.nat(), { maxLength: 5 }),
    (value, changes, cuts) => {
      let source = escapedJson(value);
      for (const { at, gone, put } of changes) {
        const from = at % (source.length + 1);
        source = source.slice(0, from) + put + source.slice(from + gone);
      }
      expect([source, accepts(source, cuts)]).toEqual([source, parses(source)]);
    },
  );
  fc.assert(property, { numRuns: 1000 });
});

test.each([
  ['', 0],
  ['  ', 2],
  ['\ufeff1', 0],
  ['1\ufeff', 1],
  ['[1,]', 3],
  ['[1 2]', 3],
  ['{"a" 1}', 5],
  ['{1:2}', 1],
  ['{"a":1,}', 7],
  ['[}', 1],
  ['01', 0],
  ['1.', 0],
  ['[-]', 1],
  ['nul', 0],
  ['nulll', 0],
  ['true false', 5],
  ['"a\nb"', 2],
  ['"\\x"', 2],
  ['"\\u12g4"', 5],
  ['"a', 2],
  ['"\\u12', 5],
  [']', 0],
  ['[', 1],
])('%j is refused at byte %i', (source, offset) => {
  expect(() => walk(source)).toThrow(JsonError);
  try {
    walk(source);
  } catch (error) {
    expect(error).toMatchObject({ offset });
  }
});

test('numbers that JavaScript writes otherwise come as they are written', () => {
  const property = fc.property(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.nat(20),
    (number, digits) => {
      for (const raw of [
        JSON.stringify(number),
        number.toFixed(Math.min(digits, 20)),
        number.toExponential(),
      ]) {
        const event = walk(raw).events[0];
        expect(event).toMatch(String(Number(raw)) === raw ? `value ${raw} ` : `raw ${raw} `);
      }
    },
  );
  fc.assert(property);
});

test('a hundred thousand levels deep is fine', () => {
  const depth = 50_000;
  const { events } = walk(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`);
  expect(events.length).toBe(5 * depth + 1);
  expect(accepts(`${'['.repeat(depth)}${']'.repeat(depth - 1)}}`)).toBe(false);
});

test('what is skipped is checked and not told', () => {
  class Skipper extends Recorder {
    override openArray(at: Place) {
      super.openArray(at);
      at.skip();
    }
    override openText(at: Place) {
      super.openText(at);
      at.skip();
    }
  }
  const source = '{"a":[1,{"b":[true,"x\\u00e9é"]}],"c":"text é\\n","d":2}';
  const property = fc.property(fc.array(fc.nat(), { maxLength: 5 }), (cuts) => {
    expect(walk(source, cuts, new Skipper()).events).toEqual([
      '{ 0-1 1',
      'key "a" 1-4 4',
      '[ 5-6 6',
      '] 32-33 32',
      'key "c" 34-37 36',
      '" 38-39 38',
      'text "" 38-49 47',
      'key "d" 50-53 51',
      'value 2 54-55 53',
      '} 55-56 54',
    ]);
  });
  fc.assert(property);
  expect(() => walk('[[1,]]', [], new Skipper())).toThrow('Unexpected "]" at byte 4');
});

test('raw bytes of the chunk at hand can be had', () => {
  const seen: string[] = [];
  const recorder = new Recorder();
  recorder.closeText = (at) => seen.push(Buffer.from(at.raw(at.start, at.end)).toString());
  walk('["ab","cd"]', [4], recorder);
  expect(seen).toEqual(['"', '"cd"']);
});

test('a key that would fill the memory is refused', () => {
  const walked = new JsonWalk(new Recorder());
  walked.write(Buffer.from('{"'));
  const chunk = Buffer.alloc(4 * 1024 * 1024, 'k');
  expect(() => {
    for (let count = 0; count < 5; count++) walked.write(chunk);
  }).toThrow('A key or a number of more than 16777216 characters at byte 1');
});
