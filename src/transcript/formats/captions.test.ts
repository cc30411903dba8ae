import { expect, test } from 'vitest';
import { read } from './formats.testing.ts';

/** Cues of some text each, a second long. */
function webvtt(...texts: readonly string[]): string {
  const cues = texts.map((text, at) => `00:0${at}.000 --> 00:0${at}.900 align:start\n${text}\n`);
  return `WEBVTT\n\n${cues.join('\n')}`;
}

async function said(text: string) {
  const { turns } = await read(text);
  return turns.map((turn) => [turn.speaker, turn.text]);
}

test('WebVTT: voices, with cues of one speaker as one turn', async () => {
  const { format, turns, leftOut } = await read(`WEBVTT - Rigging
Kind: captions

NOTE Made by hand
and checked.

STYLE
::cue { color: red }

REGION
id:one

first
00:01.000 --> 00:02.000
<v Mara Lind>The mast &amp; the <i>boom</i>

00:00:02.000 --> 00:00:03.000
<v Mara Lind>are larch.</v>

00:00:03.000 --> 00:00:04.000
<v.loud Jonas>Good.</v> <v Mara Lind>Yes.</v>

00:00:04.000 --> 00:00:05.000
Who was that?
`);
  expect(format).toBe('captions');
  expect(turns).toEqual([
    { role: 'person', speaker: 'Mara Lind', text: 'The mast & the boom are larch.', line: 15 },
    { role: 'person', speaker: 'Jonas', text: 'Good.', line: 21 },
    { role: 'person', speaker: 'Mara Lind', text: 'Yes.', line: 21 },
    { role: 'person', speaker: undefined, text: 'Who was that?', line: 24 },
  ]);
  expect(leftOut.map(({ reason, what, line }) => [reason, what, line])).toEqual([
    ['other', 'NOTE', 4],
    ['other', 'STYLE', 7],
    ['other', 'REGION', 10],
  ]);
});

test('SubRip, with CRLF and without an empty line between cues', async () => {
  const { format, turns } = await read(
    '1\r\n00:00:01,000 --> 00:00:02,000\r\nMara: It leaks.\r\nBadly.\r\n2\r\n00:00:02,000 --> 00:00:03,000\r\nJonas: Where?\r\n',
  );
  expect(format).toBe('captions');
  expect(turns).toMatchObject([
    { speaker: 'Mara', text: 'It leaks. Badly.', line: 3 },
    { speaker: 'Jonas', text: 'Where?', line: 7 },
  ]);
});

test.each([
  [
    'most cues begin with a name',
    webvtt('Mara: One.', 'two.', 'Jonas: Three.'),
    [
      ['Mara', 'One. two.'],
      ['Jonas', 'Three.'],
    ],
  ],
  [
    'a word and a colon is no name',
    webvtt('One.', 'Remember: two.', 'Three.'),
    [[undefined, 'One. Remember: two. Three.']],
  ],
  [
    'names in capitals',
    webvtt('MARA: One.', 'two.', 'three.', 'JONAS: Four.'),
    [
      ['MARA', 'One. two. three.'],
      ['JONAS', 'Four.'],
    ],
  ],
  [
    'names in a line of their own',
    webvtt('(Mara)\nOne.', '(Laughter)\nTwo.\n(Gasps)'),
    [['Mara', 'One. (Laughter) Two. (Gasps)']],
  ],
  [
    'dashes',
    webvtt('- One?\n- Two.', 'Three.'),
    [
      [undefined, 'One?'],
      [undefined, 'Two. Three.'],
    ],
  ],
  [
    'dashes before names',
    webvtt('Mara: One.', '- Jonas: Two.', '- Noor: Three.\n- Mara: Four.'),
    [
      ['Mara', 'One.'],
      ['Jonas', 'Two.'],
      ['Noor', 'Three.'],
      ['Mara', 'Four.'],
    ],
  ],
  [
    'marks of another speaker',
    webvtt('&gt;&gt; MARA: One.', '>> Two.'),
    [
      ['MARA', 'One.'],
      [undefined, 'Two.'],
    ],
  ],
  [
    'brackets',
    webvtt('[Speaker 1]: One.', '[Speaker 2]: Two.'),
    [
      ['Speaker 1', 'One.'],
      ['Speaker 2', 'Two.'],
    ],
  ],
])('who speaks: %s', async (_, text, expected) => {
  expect(await said(text)).toEqual(expected);
});

test('no turn has a time', async () => {
  const { turns } = await read(webvtt('One.'));
  expect(turns[0]).not.toHaveProperty('time');
});

test('character references', async () => {
  expect(await said(webvtt('a&lt;b&gt;&nbsp;&#233;&#x1F6F6;&lrm;&unknown;&#9999999;&#xD83D;'))).toEqual([
    [undefined, 'a<b> é🛶&unknown;\ufffd'],
  ]);
});

test('lines that roll up are said once', async () => {
  const { turns, leftOut } = await read(
    webvtt(
      ' \nthe mast<00:00:00.500><c> is</c>',
      'the mast is\n ',
      'the mast is\nlarch<00:00:02.500><c> now</c>',
    ),
  );
  expect(turns).toMatchObject([{ text: 'the mast is larch now' }]);
  expect(leftOut).toEqual([{ reason: 'copy', what: 'line', count: 2, line: 8 }]);
});

test('two speakers may say the same', async () => {
  expect(await said(webvtt('<v Mara>Yes.', '<v Jonas>Yes.', '<v Jonas>- No.'))).toEqual([
    ['Mara', 'Yes.'],
    ['Jonas', 'Yes. - No.'],
  ]);
  expect(await said(webvtt('- Yes.\n- Yes.'))).toEqual([
    [undefined, 'Yes.'],
    [undefined, 'Yes.'],
  ]);
});

test('a voice without a name, and a cue without text', async () => {
  const { turns, leftOut } = await read(webvtt('<v Mara>One.', '<v Mara></v>', '<v Mara>two.', '<v>Three.'));
  expect(turns).toMatchObject([
    { speaker: 'Mara', text: 'One. two.' },
    { speaker: undefined, text: 'Three.' },
  ]);
  expect(leftOut).toEqual([{ reason: 'empty', what: 'cue', count: 1, line: 6 }]);
});

test('what can be heard is no turn', async () => {
  const { turns, leftOut } = await read(webvtt('[Music]', 'Hello.', '(door slams)', '♪♪'));
  expect(turns).toMatchObject([{ text: 'Hello.' }]);
  expect(leftOut).toEqual([{ reason: 'other', what: 'sound', count: 3, line: 3 }]);
});

test('cues without a readable time are counted, and the others kept', async () => {
  const { turns, leftOut } = await read(
    'WEBVTT\n\n1\n00:00:01.000 -> 00:00:02.000\nLost.\n\n2\n00:02.000 --> 00:03.000\nKept.\n\n00:xx --> 00:04.000\nLost.\n\n00:05.000 --> 00:06.000\n\n3',
  );
  expect(turns).toMatchObject([{ text: 'Kept.', line: 9 }]);
  expect(leftOut).toEqual([
    { reason: 'unreadable', what: 'cue', count: 3, line: 3 },
    { reason: 'empty', what: 'cue', count: 1, line: 14 },
  ]);
});

test('a cue without an end', async () => {
  const { turns, leftOut } = await read(webvtt('word\n'.repeat(1500).trimEnd(), 'Last.'), { chunk: 4096 });
  expect(turns).toMatchObject([{ text: 'Last.' }]);
  expect(leftOut).toEqual([{ reason: 'too long', what: 'cue', count: 1, line: 3 }]);
});

test.each(['WEBVTTX\n\n00:01.000 --> 00:02.000\nHi\n', 'At 00:00:01,000 --> 00:00:02,000 it leaks.\n'])(
  'no captions: %j',
  async (text) => {
    expect((await read(text)).format).toBe('text');
  },
);

test.each([
  'Applause',
  'Music',
  'Cheering',
  'Clapping',
  'Silence',
  'Inaudible',
  'Crosstalk',
  'Coughing',
  'Sighs',
  'Pause',
])('(%s) is nobody who speaks', async (noise) => {
  const { turns } = await read(webvtt(`(Mara)\nOne.\n(${noise})\nTwo.`));
  expect(turns.map(({ speaker }) => speaker)).toEqual(['Mara']);
});
