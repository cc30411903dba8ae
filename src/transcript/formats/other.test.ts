import { expect, test } from 'vitest';
import { read } from './formats.testing.ts';
import { otherKindOf } from './other.ts';

const PYTHON = `"""Remember that the tide turns at noon."""
import os
from pathlib import Path

# We decided to use SQLite.
class Tide(Base):
    def turn(self, at):
        if at > self.noon:
            raise ValueError("late")
        return self.level + 1
`;

test.each([
  [
    'an HTML page',
    '<!-- saved -->\n<!DOCTYPE html>\n<html><body><p>We decided to use SQLite.</p></body></html>',
  ],
  ['an HTML page', '<html lang="en">\n<head><title>Tides</title></head>'],
  ['XML', '<?xml version="1.0"?>\n<tides><tide/></tides>'],
  ['a table', 'date,port,level\n2026-03-01,Otter,3\n2026-03-02,"Otter, east",4\n2026-03-03,Ot'],
  ['a table', 'Datum;Hafen;Pegel\n1.3.2026;Otter;3\n2.3.2026;Otter;4\n'],
  ['a table', 'date\tname\tlevel\n1\tOtter\t3\n2\tOtter\t4\n'],
  ['source code', PYTHON],
  ['source code', '#!/usr/bin/env python3\nprint("We decided to use SQLite.")\n'],
  ['source code', "import x from 'y';\n\nexport function tide(at) {\n  return at + 1; // noon\n}\n"],
  ['source code', '#include <stdio.h>\n\nint main(void) {\n  puts("tide");\n  return 0;\n}\n'],
])('%s is no conversation: %j', async (kind, text) => {
  expect(otherKindOf(text)).toBe(kind);
  expect((await read(text)).format).toBeUndefined();
});

test('bytes that are no text have no kind', async () => {
  const bytes = Buffer.from(Uint8Array.from({ length: 5120 }, (_, at) => at % 256)).toString('latin1');
  expect(otherKindOf(bytes)).toBeUndefined();
  expect((await read(bytes)).format).toBeUndefined();
});

test.each([
  ['prose', 'We talked about boats, sails, ropes\nand tides, moons, winds\nall day, all night, all week.\n'],
  [
    'prose with some code',
    'Try this:\n\nconst a = 1;\nconst b = 2;\n\nIt prints nothing.\nThe rest stays as it is.\n',
  ],
  ['prose with fenced code', `So:\n\n\`\`\`python\n${PYTHON}\`\`\`\n`],
  [
    'a log of a chat',
    '1/3/26, 10:02 - Mara: no, never\n1/3/26, 10:03 - Jo: why, dear\n1/3/26, 10:04 - Mara: so, it is\n',
  ],
  ['code that people say', `User: mend this\n\n${PYTHON}\nAssistant: done\n\n${PYTHON}`],
  ['a page that people talk of', 'It says <html> and no more.\n'],
])('%s may be one', async (_, text) => {
  expect((await read(text)).format).toBe('text');
});
