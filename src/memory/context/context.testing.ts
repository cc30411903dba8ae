import fc from 'fast-check';

/** Segments of keys that programs get wrong. */
export const segment = fc.constantFrom(
  'a',
  'b',
  'a.b',
  'é',
  '漢😀',
  '"',
  '\\',
  '2026',
  '',
  ' ',
  '\n',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
);

export const path = fc.array(segment, { minLength: 1, maxLength: 4 });

/** JSON of values that a `context.json` may hold, as people and programs write it. */
export const valueJson = fc.constantFrom(
  'null',
  'true',
  '-0',
  '1.0',
  '1e5',
  '12345678901234567890',
  '""',
  '"\\u00e9\\/\\n$&"',
  '"é😀{}"',
  '[]',
  '[ 1,2, "]" ]',
  '[\n{"a": 1}, [2]\n]',
);

interface Section {
  readonly members: readonly (readonly [key: string, value: string | Section])[];
}

/** Key as JSON, some of them escaped all through. */
const keyJson = fc.tuple(segment, fc.boolean()).map(([key, isEscaped]) => {
  return isEscaped
    ? `"${[...Array(key.length).keys()].map((at) => `\\u${key.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
    : JSON.stringify(key);
});

const { section } = fc.letrec<{ section: Section; value: string | Section }>((tie) => ({
  section: fc
    .array(fc.tuple(keyJson, tie('value')), { maxLength: 4 })
    .map((members) => ({ members })) as fc.Arbitrary<Section>,
  value: fc.oneof({ depthSize: 'small' }, valueJson, tie('section')),
}));

type Write = (section: Section) => string;

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

/** As programs write: a line for each member, or all on one line. */
const tidy = fc
  .record({ lineEnd, step: fc.constantFrom('', ' ', '  ', '\t'), colon: fc.constantFrom(':', ': ', ' : ') })
  .map(({ lineEnd, step, colon }): Write => {
    const write = (section: Section, outer: string): string => {
      if (section.members.length === 0) return '{}';
      const inner = outer + step;
      const members = section.members.map(
        ([key, value]) => key + colon + (typeof value === 'string' ? value : write(value, inner)),
      );
      return `{${inner}${members.join(`,${inner}`)}${outer}}`;
    };
    return (section) => write(section, lineEnd);
  });
const oneLine = fc
  .constantFrom([':', ',', ''], [': ', ', ', ''], [': ', ', ', ' '], ['\t:\t', ' ,', '\t'])
  .map(([colon, comma, padding]): Write => {
    const write = ({ members }: Section): string =>
      `{${padding}${members.map(([key, value]) => key + colon + (typeof value === 'string' ? value : write(value))).join(comma)}${padding}}`;
    return write;
  });

/** As nobody writes: any white space anywhere. */
const wild = fc
  .array(fc.constantFrom('', '', ' ', '\t', '\n', '\r\n', '\r', '\n\n  ', '\n    '), {
    minLength: 1,
    maxLength: 9,
  })
  .map((spaces): Write => {
    let used = 0;
    const space = () => spaces[used++ % spaces.length];
    const write = ({ members }: Section): string => {
      const texts = members.map(
        ([key, value]) =>
          space() +
          key +
          space() +
          ':' +
          space() +
          (typeof value === 'string' ? value : write(value)) +
          space(),
      );
      return `{${texts.join(',') || space()}}`;
    };
    return write;
  });

/** The text of a `context.json`: duplicate keys, any layout, with a byte order mark or without. */
export const contextText = fc
  .tuple(
    section,
    fc.oneof(tidy, oneLine, wild),
    fc.constantFrom('', '\ufeff'),
    fc.constantFrom('', '\n', '\r\n', ' \n\n'),
  )
  .map(([section, write, mark, end]) => mark + write(section) + end);

/** What a text holds, by `JSON.parse`: the path of each value as JSON, and the value. */
export function factsIn(text: string): Map<string, unknown> {
  const facts = new Map<string, unknown>();
  const gather = (value: unknown, path: readonly string[]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      facts.set(JSON.stringify(path), value);
    } else for (const [key, inner] of Object.entries(value)) gather(inner, [...path, key]);
  };
  gather(JSON.parse(text.replace(/^\ufeff/, '')), []);
  return facts;
}
