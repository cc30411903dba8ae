import { expect, test } from 'vitest';
import { read } from './formats.testing.ts';

const EXPORT = `# Where the mast goes
_Exported on 3/1/2026 at 10:00:00 CET from Cursor (2.4.1)_

---

**User**

Use larch for the mast.

---

**Cursor**

I will.

It goes
---
amidships.
`;

test('an exported chat, with its title', async () => {
  const { format, turns, leftOut } = await read(EXPORT);
  expect(format).toBe('Cursor export');
  expect(turns).toEqual([
    { role: 'person', text: 'Use larch for the mast.', line: 6, conversation: 'Where the mast goes' },
    {
      role: 'assistant',
      text: 'I will.\n\nIt goes\n---\namidships.',
      line: 12,
      conversation: 'Where the mast goes',
    },
  ]);
  expect(leftOut).toEqual([]);
});

test.each([
  '_Exported on 2025. 7. 6. at 18시 20분 14초 GMT+9 from Cursor (1.2.1)_',
  '_Exported on 2026/2/28 at GMT+8 10:28:33 from Cursor (2.4.27)_',
  '_Exported on 1.3.2026 um 10:00:00 MEZ from Cursor_',
])('its date may be in any language: %s', async (line) => {
  expect((await read(`# T\r\n${line}\r\n\r\n---\r\n\r\n**User**\r\n\r\nHi\r\n`)).turns).toMatchObject([
    { role: 'person', text: 'Hi', conversation: 'T' },
  ]);
});

test('a break or a name alone begins no turn', async () => {
  const { turns } = await read(`${EXPORT}
---

## Next

**User**

means you.
`);
  expect(turns).toHaveLength(2);
  expect(turns[1]?.text).toContain('---\n\n## Next\n\n**User**\n\nmeans you.');
});

test('a turn without words and what stands before the first are counted', async () => {
  const { turns, leftOut } = await read(`# T
_Exported on 3/1/2026 at 10:00:00 CET from Cursor (2.4.1)_
Note.

---

**User**

---

**Cursor**

Done.`);
  expect(turns).toMatchObject([{ role: 'assistant', text: 'Done.' }]);
  expect(leftOut).toEqual([
    { reason: 'other', what: 'text outside of turns', count: 1, line: 3 },
    { reason: 'empty', what: 'person', count: 1, line: 7 },
  ]);
});

test.each([
  ['speakers without anything of Cursor', 'user:\nHi\nassistant:\nHello\n'],
  ['an export that is quoted', `Look at this:\n\n\n\n${EXPORT}`],
])('%s is not of Cursor', async (_, text) => {
  expect((await read(text)).format).toBe('text');
});
