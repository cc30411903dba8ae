import { expect, test } from 'vitest';
import { boundResult } from '../bound.ts';

const many = (count: number, line: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');

const PYTHON = `Traceback (most recent call last):
  File "/app/main.py", line 16, in load
    walk(tree)
${many(150, (number) => `  File "/app/tree.py", line ${number}, in walk\n    return walk(node.child)`)}  File "/app/tree.py", line 6, in walk
    raise KeyError(name)
KeyError: 'no such child'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/main.py", line 19, in <module>
    load()
ValueError: the tree is broken
`;

const JAVA = `Exception in thread "main" java.lang.RuntimeException: request failed
${many(200, (number) => `\tat app.Server.step${number}(Server.java:${number})`)}Caused by: app.FetchException: no user 17
\tat app.Users.fetch(Users.java:2)
\t... 201 more
Caused by: java.lang.IllegalStateException: the pool is closed
${many(200, (number) => `\tat app.Pool.step${number}(Pool.java:${number})`)}\t... 202 more
`;

const NODE = `file:///app/main.js:3
  throw new Error('no config', { cause });
        ^

Error: no config
${many(150, (number) => `    at step${number} (file:///app/main.js:${number}:41)`)}  [cause]: SyntaxError: Unexpected end of JSON input
${many(150, (number) => `      at read${number} (file:///app/read.js:${number}:38)`)}}

Node.js v20.20.2
`;

test.each([
  [
    'Python',
    PYTHON,
    [
      'Traceback (most recent call last):',
      "KeyError: 'no such child'",
      'raise KeyError(name)',
      'ValueError: the tree is broken',
    ],
  ],
  [
    'Java',
    JAVA,
    ['RuntimeException: request failed', 'Server.step0(', 'no user 17', 'the pool is closed', 'Pool.step0('],
  ],
  ['Node.js', NODE, ["new Error('no config'", 'step0 ', 'SyntaxError: Unexpected end', 'read0 ']],
])('of a long stack trace of %s what tells most stays', async (_, trace, telling) => {
  for (const limit of [2000, 5000]) {
    for (const isError of [true, false]) {
      const result = { content: [{ type: 'text', text: trace }], isError };
      const bounded = await boundResult(result, { limit, spool: false });
      for (const part of telling) expect(bounded.content[0]?.text).toContain(part);
    }
  }
});
