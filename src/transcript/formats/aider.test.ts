import { expect, test } from 'vitest';
import { read } from './formats.testing.ts';

const HISTORY = `
# aider chat started at 2026-03-01 10:00:00

> Aider v0.86.0  
> Main model: larch-2  

#### Use larch for the mast.  
####   
#### Never pine.  

I will. The steps are:

#### Step one

Cut it.

> Tokens: 2k sent.  
> Applied edit to mast.ts  

#### <blank>  

#### Go on.  

# aider chat started at 2026-03-02 09:30:00

> /usr/bin/aider --message # Rig it

Text of an option.

#### Yes.  
`;
const [FIRST, SECOND] = ['2026-03-01 10:00:00', '2026-03-02 09:30:00'];
const timeOf = (started: string) => new Date(started).toISOString();

test('what the user, the model and aider said, session by session', async () => {
  const { format, turns, leftOut } = await read(HISTORY);
  expect(format).toBe('aider');
  expect(turns.map(({ role, text, line }) => [role, text, line])).toEqual([
    ['tool', 'Aider v0.86.0\nMain model: larch-2', 4],
    ['person', 'Use larch for the mast.\n\nNever pine.', 7],
    ['assistant', 'I will. The steps are:\n\n#### Step one\n\nCut it.', 11],
    ['tool', 'Tokens: 2k sent.\nApplied edit to mast.ts', 17],
    ['person', 'Go on.', 22],
    ['tool', '/usr/bin/aider --message # Rig it\n\nText of an option.', 26],
    ['person', 'Yes.', 30],
  ]);
  expect(leftOut).toEqual([{ reason: 'empty', what: 'person', count: 1, line: 20 }]);
  expect(turns.map(({ conversation }) => conversation)).toEqual([...Array(5).fill(FIRST), SECOND, SECOND]);
  expect(turns[1]?.time).toBe(timeOf(FIRST as string));
  expect(turns[5]?.id).toBe(`${SECOND} 0`);
  expect(turns[6]?.time).toBe(timeOf(SECOND as string));
});

test('the same words twice in a session are two turns, and have the same names when the file has grown', async () => {
  const start = '# aider chat started at 2026-03-01 10:00:00\n\n#### yes  \n\nDone.\n\n#### yes  \n';
  const { turns } = await read(start);
  const grown = (await read(`${start}\nDone again.\n`)).turns;
  expect(new Set(turns.map(({ id }) => id)).size).toBe(3);
  expect(grown.slice(0, 3)).toEqual(turns);
});

test('a history whose spaces at line ends an editor removed', async () => {
  const { turns } = await read(HISTORY.replace(/ +$/gm, ''));
  expect(turns.filter(({ role }) => role === 'person').map(({ text }) => text)).toContain('Go on.');
});

test('what aider tells in several lines stays one turn, and is not an answer', async () => {
  const { turns } = await read(
    '# aider chat started at 2026-03-01 10:00:00\n\n#### /run ls  \n\n> mast.ts\nhull.ts\n\nNow the answer.\n',
  );
  expect(turns.map(({ role, text }) => [role, text])).toEqual([
    ['person', '/run ls'],
    ['tool', 'mast.ts\nhull.ts'],
    ['assistant', 'Now the answer.'],
  ]);
});

test('text that stands before anybody spoke is counted', async () => {
  const { turns, leftOut } = await read(
    '# aider chat started at 2026-03-01 10:00:00\n\nLoose.\n\n#### Hi  \n',
  );
  expect(turns).toMatchObject([{ role: 'person', text: 'Hi' }]);
  expect(leftOut).toEqual([{ reason: 'other', what: 'text outside of turns', count: 1, line: 3 }]);
});

test('a time that is none', async () => {
  const { turns } = await read('# aider chat started at 99 o’clock\n\n#### Hi  \n');
  expect(turns).toMatchObject([{ text: 'Hi', time: undefined }]);
});

test('a text about aider is not its history', async () => {
  expect((await read('It writes:\n\n# aider chat started at 2026-03-01 10:00:00\n')).format).toBe('text');
});

test('a plan that is handed on, and errors that a linter found, are not what the user wrote', async () => {
  const { turns, leftOut } = await read(
    [
      '# aider chat started at 2026-03-01 10:00:00',
      '',
      '#### Raise the mast.  ',
      '',
      '1) Lift it:',
      '',
      '   - by hand',
      '',
      '> Tokens: 1.6k sent.  ',
      '',
      '#### 1) Lift it:  ',
      '####   ',
      '####    - by hand  ',
      '',
      'Raised.',
      '',
      '#### # Fix any errors below, if possible.  ',
      '####   ',
      '#### mast.ts:1: E999  ',
      '',
      'Mended.',
    ].join('\n'),
  );
  expect(turns.map(({ role, text }) => [role, text])).toEqual([
    ['person', 'Raise the mast.'],
    ['assistant', '1) Lift it:\n\n   - by hand'],
    ['tool', 'Tokens: 1.6k sent.'],
    ['assistant', 'Raised.'],
    ['assistant', 'Mended.'],
  ]);
  expect(leftOut).toEqual([
    { reason: 'copy', what: 'plan of the assistant', count: 1, line: 11 },
    { reason: 'injected', what: 'errors to mend', count: 1, line: 17 },
  ]);
});
