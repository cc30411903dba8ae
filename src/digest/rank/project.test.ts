import { describe, expect, it } from 'vitest';
import { describeProject } from './project.ts';

function describeWith(documents: Record<string, string>, files: string[]) {
  const paths = new Set([...Object.keys(documents), ...files]);
  const project = describeProject(new Map(Object.entries(documents)), (path) => paths.has(path));
  return {
    ...project,
    pointers: Object.fromEntries([...project.pointers].map(([path, { why }]) => [path, why])),
  };
}

describe('describeProject', () => {
  it.each([
    ['# OkHttp\n\nText', ['okhttp']],
    ['OkHttp\n======\n', ['okhttp']],
    ['# [my-lib](https://example.com)\n', ['my_lib']],
    ['\n## `uv` ##\n', ['uv']],
    ['# A long title\n', []],
    ['Hono\n\nText', []],
    ['Some text\n\n# Title\n', []],
  ])('takes the name that a README begins with: %j', (text, names) => {
    expect(describeProject(new Map([['README.md', text]]), () => true).names).toEqual(new Set(names));
  });

  it('follows what package.json names, back to the sources it is built from', () => {
    const project = describeWith(
      {
        'package.json': JSON.stringify({
          name: '@scope/my-lib',
          description: 'Does things.',
          main: './dist/index.js',
          bin: { tool: 'bin/tool.mjs' },
          exports: {
            '.': { import: './dist/index.js' },
            './sub': './lib/sub.js',
            './package.json': './package.json',
          },
        }),
      },
      ['src/index.ts', 'bin/tool.mjs', 'src/sub.ts'],
    );
    expect(project.names).toEqual(new Set(['my_lib']));
    expect(project.description).toBe('Does things.');
    expect(Object.keys(project.pointers).sort()).toEqual(['bin/tool.mjs', 'src/index.ts', 'src/sub.ts']);
    expect(project.pointers['bin/tool.mjs']).toBe('named as bin in package.json');
  });

  it('follows Cargo targets and Python scripts', () => {
    const project = describeWith(
      {
        'Cargo.toml': '[package]\nname = "uv"\n[[bin]]\nname = "x"\npath = "src/bin/x.rs"\n',
        'pyproject.toml':
          '[project]\nname = "my-app"\ndescription = "An app."\n[project.scripts]\napp = "my_app.cli:main"\n',
      },
      ['src/bin/x.rs', 'src/main.rs', 'src/my_app/cli.py', 'src/my_app/__init__.py'],
    );
    expect(project.names).toEqual(new Set(['uv', 'my_app']));
    expect(Object.keys(project.pointers).sort()).toEqual([
      'src/bin/x.rs',
      'src/main.rs',
      'src/my_app/__init__.py',
      'src/my_app/cli.py',
    ]);
  });

  it('follows relative links of a README, not addresses, anchors or ways out of the root', () => {
    const project = describeWith(
      {
        'README.md':
          '[a](docs/a.md#part) [b](./docs/) <a href="src/x.ts">x</a> [c](https://host.example/docs/c.md) [d](#top) [e](../../out.md) [f](docs/sp%20ace.md)\n[ref]: docs/ref.md\n',
      },
      ['docs/a.md', 'docs/README.md', 'src/x.ts', 'docs/c.md', 'out.md', 'docs/sp ace.md', 'docs/ref.md'],
    );
    expect(Object.keys(project.pointers).sort()).toEqual([
      'docs/README.md',
      'docs/a.md',
      'docs/ref.md',
      'docs/sp ace.md',
      'src/x.ts',
    ]);
  });

  it.each([
    '{',
    '[]',
    '"text"',
    'null',
    '{"main": {"a": [1, null]}, "bin": 7, "exports": {"x": "../../../etc/passwd"}}',
  ])('takes nothing from a package.json that holds %s', (text) => {
    expect(describeWith({ 'package.json': text }, ['a']).pointers).toEqual({});
  });
});
