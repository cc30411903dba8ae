import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedHead, recalledHead } from '../../memory/answers/frame.ts';
import { random } from '../../secrets/secrets.testing.ts';
import type { Role, Turn } from '../turn.ts';
import { takenOf, taking } from './take.testing.ts';

const SECRET = `ghp_${random(36)}`;
const turn = (role: Role, text: string, line: number, more: Partial<Turn> = {}): Turn => ({
  role,
  text,
  line,
  ...more,
});
const prose = (length: number) => 'The tide turns at noon. '.repeat(length / 24 + 1).slice(0, length);

describe('fingerprints', () => {
  const conversation = [
    turn('person', 'yes', 1),
    turn('assistant', 'Shall I?', 2),
    turn('person', 'yes', 3),
    turn('person', 'yes', 4, { id: 'a' }),
    turn('person', 'yes', 5, { time: '2026-03-01T10:00:00.000Z' }),
  ];

  test('tell turns apart that say the same, and are short', async () => {
    const names = (await taking(conversation)).turns.map(({ fingerprint }) => fingerprint);
    expect(new Set(names).size).toBe(5);
    for (const name of names) expect(name).toMatch(/^[\w-]{12}$/);
  });

  test('of a conversation that has grown the new turns are taken', async () => {
    const known = new Set((await taking(conversation)).turns.map(({ fingerprint }) => fingerprint));
    const grown = [...conversation, turn('person', 'And now?', 6)];
    const { turns, counts } = await taking(grown, { known });
    expect(turns.map(({ line }) => line)).toEqual([6]);
    expect(counts).toMatchObject({ read: 6, known: 5 });
  });

  test('of a text that was edited only the edited turns are taken', async () => {
    const said = ['Hi', 'yes', 'The tide turns.', 'yes'].map((text, at) => turn('person', text, at + 1));
    const known = new Set((await taking(said)).turns.map(({ fingerprint }) => fingerprint));
    const edited = [turn('person', 'Hello', 1), ...said.slice(1), turn('person', 'yes', 5)];
    const { turns, counts } = await taking(edited, { known });
    expect(turns.map(({ line }) => line)).toEqual([1, 5]);
    expect(counts).toMatchObject({ read: 5, known: 3 });
  });

  test('a turn with a name is known wherever it stands', async () => {
    const [first] = (await taking([turn('person', 'yes', 9, { id: 'a' })])).turns;
    expect((await taking(conversation)).turns[3]?.fingerprint).toBe(first?.fingerprint);
  });
});

test('what clients put in is never taken', async () => {
  const { turns, counts, leftOut } = await taking([
    turn('system', 'Always use tabs.', 1),
    turn('person', 'Hi', 2),
  ]);
  expect(turns.map(({ text }) => text)).toEqual(['Hi']);
  expect(counts).toMatchObject({ read: 2, injected: 1 });
  expect(leftOut).toEqual([]);
});

describe('what memory recalled', () => {
  const where = { scope: 'global' as const, file: '/home/mara/context.json' };
  const recalled = `${recalledHead([where], [], { limit: 4000 })}\n\nboat.colour: red\n\nboat.name: Otter`;
  const changed = `${changedHead(['Set boat.colour.'])}\n\nboat.colour: red`;

  test.each([recalled, changed])('goes with all that follows: %j', async (answer) => {
    const { turns, counts } = await taking([
      turn('tool', answer, 1),
      turn('tool', `$ recall\n${answer}`, 2),
      turn('person', `Look:\n${answer}`, 3),
      turn('tool', JSON.stringify({ text: answer }), 4),
    ]);
    expect(turns.map(({ text }) => text.trim())).toEqual(['$ recall', 'Look:']);
    expect(counts.injected).toBe(2);
  });

  test('of a quotation only the quotation goes', async () => {
    const quoted = recalled.replace(/^/gm, '> ');
    const [one, two] = await takenOf(
      `${quoted}\n\nIt is blue now.`,
      `It said "${recalled.split('\n')[0]}"\nWhy?`,
    );
    expect(one?.text.trim()).toBe('It is blue now.');
    expect(two?.text).toBe('Why?');
  });
});

describe('long turns', () => {
  test.each([
    ['person', 16_000],
    ['assistant', 4000],
    ['tool', 600],
  ] as const)('of a %s keep head and tail', async (role, most) => {
    const whole = prose(most);
    const text = `START ${prose(most * 3)} END`;
    const { turns, counts } = await taking([turn(role, whole, 1), turn(role, text, 2)]);
    expect(turns[0]?.text).toBe(whole);
    const cut = turns[1]?.text ?? '';
    expect(cut).toMatch(/^START [\s\S]* END$/);
    expect(cut.length).toBeLessThan(most + 60);
    const [mark = '', missing] = /\n?\[… (\d+) characters left out …\]\n/.exec(cut) ?? [];
    expect(cut.length - mark.length + Number(missing)).toBe(text.length);
    expect(counts).toMatchObject({ read: 2, cut: 1, secrets: 0 });
  });

  test('are cut at line ends', async () => {
    const [taken] = await takenOf({ role: 'tool', text: 'A line of output.\n'.repeat(200) });
    for (const line of taken?.text.trim().split('\n') ?? []) {
      expect(line).toMatch(/^A line of output\.$|^\[… \d+ characters left out …\]$/);
    }
  });
});

test('control characters go, but for tabs and ends of lines', async () => {
  const [taken] = await takenOf({
    role: 'person',
    text: '\u001b[1;31mThe port\u001b[0m\tis\u0000 5433\u009f.\r\nIt \u001b]8;;http://a.example\u0007says\u001b]8;;\u0007 so.\u007f',
    speaker: 'Ma\u001b[2mra',
    conversation: 'Ti\u0007des',
  });
  expect(taken).toMatchObject({
    text: 'The port\tis 5433.\nIt says so.',
    speaker: 'Mara',
    conversation: 'Tides',
  });
  const { turns, counts } = await taking([turn('tool', '\u001b[0m\u0007', 1)]);
  expect(turns).toEqual([]);
  expect(counts.injected).toBe(1);
});

test('secrets are masked, wherever a turn is cut', async () => {
  const pem = (edge: string) => `-----${edge} PRIVATE KEY-----`;
  const body = random(1600).replace(/.{64}/g, '$&\n');
  const key = `${pem('BEGIN')}\n${body}\n${pem('END')}`;
  const secrets = [SECRET, key, `https://ferris:${random(16)}@git.saltmarsh.dev/x`];
  const pieces = [SECRET, ...body.split('\n'), random(16)].flatMap((secret) => secret.match(/.{12}/g) ?? []);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<Role>('person', 'assistant', 'tool'),
      fc.constantFrom(...secrets),
      fc.nat(20_000),
      fc.nat(60_000),
      async (role, secret, before, after) => {
        const text = `${prose(before)} ${secret} ${prose(after)}`;
        const { turns } = await taking([turn(role, text, 1)]);
        expect(pieces.filter((piece) => turns[0]?.text.includes(piece))).toEqual([]);
      },
    ),
    { numRuns: 150 },
  );
});

test.each(['person', 'assistant', 'tool'] as const)('a secret at the edge of a cut of a %s', async (role) => {
  const most = { person: 16_000, assistant: 4000, tool: 600 }[role];
  const pieces = SECRET.match(/.{6}/g) ?? [];
  for (const edge of [Math.floor((most * 2) / 3), most * 3 - Math.ceil(most / 3)]) {
    for (let before = edge - 60; before < edge + 20; before += 3) {
      const text = `${prose(before)} ${SECRET} ${prose(most * 3 - before)}`;
      const { turns, counts } = await taking([turn(role, text, 1)]);
      const taken = turns[0]?.text ?? '';
      expect(pieces.filter((piece) => taken.includes(piece))).toEqual([]);
      expect(counts.secrets).toBe(taken.split('[redacted: github-token]').length - 1);
    }
  }
});

test('secrets in the name of a speaker are masked, and counted in texts', async () => {
  const { turns, counts } = await taking([turn('person', `a ${SECRET} b`, 1, { speaker: SECRET })]);
  expect(turns[0]).toMatchObject({
    text: 'a [redacted: github-token] b',
    speaker: '[redacted: github-token]',
  });
  expect(counts.secrets).toBe(1);
});

describe('with a budget', () => {
  const turns = [
    turn('tool', prose(200), 1),
    turn('person', prose(200), 2),
    turn('assistant', prose(200), 3),
    turn('person', prose(200), 4),
    turn('assistant', prose(200), 5),
    turn('tool', prose(200), 6),
  ];

  test.each([
    [10_000, [1, 2, 3, 4, 5, 6], []],
    [1400, [2, 3, 4, 5, 6], [['tool', 1, 1]]],
    [
      900,
      [2, 4, 5],
      [
        ['assistant', 1, 3],
        ['tool', 2, 1],
      ],
    ],
    [
      300,
      [4],
      [
        ['person', 1, 2],
        ['assistant', 2, 3],
        ['tool', 2, 1],
      ],
    ],
    [
      0,
      [],
      [
        ['person', 2, 2],
        ['assistant', 2, 3],
        ['tool', 2, 1],
      ],
    ],
  ] as const)(
    'of %i persons come first, then the assistant, of each the newest',
    async (budget, lines, left) => {
      const { turns: taken, leftOut } = await taking(turns, { budget });
      expect(taken.map(({ line }) => line)).toEqual(lines);
      expect(leftOut.map(({ role, count, line }) => [role, count, line])).toEqual(left);
    },
  );

  test('a turn that is too long for what is left pushes out no other', async () => {
    const shortThenLong = [
      turn('person', 'Hi', 1),
      turn('assistant', 'Ahoy', 2),
      turn('assistant', prose(300), 3),
    ];
    const { turns: taken, leftOut } = await taking(shortThenLong, { budget: 300 });
    expect(taken.map(({ line }) => line)).toEqual([1, 2]);
    expect(leftOut).toEqual([{ role: 'assistant', count: 1, line: 3 }]);
  });

  test('every turn is taken, known, injected or left out; the order stays', async () => {
    const one = fc.record({
      role: fc.constantFrom<Role>('person', 'assistant', 'tool', 'system'),
      text: fc.string({ minLength: 1, maxLength: 900 }).filter((text) => text.trim() !== ''),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(one, { maxLength: 30 }),
        fc.nat(9000),
        fc.nat(5),
        async (said, budget, nth) => {
          const all = said.map(({ role, text }, index) => turn(role, text, index + 1));
          const before = (await taking(all)).turns.filter((_, index) => index % 5 === nth);
          const known = new Set(before.map(({ fingerprint }) => fingerprint));
          const { turns: taken, counts, leftOut } = await taking(all, { budget, known });
          const left = leftOut.reduce((sum, { count }) => sum + count, 0);
          expect(taken.length + counts.known + counts.injected + left).toBe(all.length);
          expect(counts.read).toBe(all.length);
          const lines = taken.map(({ line }) => line);
          expect(lines).toEqual(lines.toSorted((one, other) => one - other));
          expect(taken.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(budget);
        },
      ),
    );
  });

  test('what is left out is taken by later digests', async () => {
    const known = new Set<string>();
    const lines: number[] = [];
    for (let round = 0; round < 6; round++) {
      for (const { fingerprint, line } of (await taking(turns, { budget: 300, known })).turns) {
        known.add(fingerprint);
        lines.push(line);
      }
    }
    expect(lines).toEqual([4, 2, 5, 3, 6, 1]);
  });
});
