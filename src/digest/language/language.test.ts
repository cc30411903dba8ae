import { describe, expect, it } from 'vitest';
import { languageOf, languageOfScript } from './language.ts';

const nameOf = (path: string) => languageOf(path)?.name;

describe('languageOf', () => {
  it.each([
    ['src/main.rs', 'Rust'],
    ['include/list.h', 'C'],
    ['App/AppDelegate.m', 'Objective-C'],
    ['README.md', 'Markdown'],
    ['src/index.ts', 'TypeScript'],
    ['src/index.d.ts', 'TypeScript'],
    ['src/app.tsx', 'TSX'],
    ['src/App.jsx', 'JavaScript'],
    ['lib/Foo.pl', 'Perl'],
    ['rtl/alu.v', 'Verilog'],
    ['stats.R', 'R'],
    ['db/init.sql', 'SQL'],
    ['index.php', 'PHP'],
    ['Program.cs', 'C#'],
    ['Program.fs', 'F#'],
    ['index.html', 'HTML'],
    ['ci.yml', 'YAML'],
    ['ci.yaml', 'YAML'],
    ['package.json', 'JSON'],
    ['main.tf', 'HCL'],
    ['a/b/views/home.blade.php', 'Blade'],
    ['app/views/index.html.erb', 'HTML+ERB'],
    ['app/assets/app.js.erb', 'JavaScript+ERB'],
    ['build.gradle.kts', 'Gradle Kotlin DSL'],
    ['classes/Account.cls', 'Apex'],
    ['logo.svg', 'SVG'],
    ['man/git.1', 'Roff Manpage'],
    ['NOTES.TXT', 'Text'],
    ['proof.lean', 'Lean 4'],
  ])('knows %s by its extension', (path, name) => {
    expect(nameOf(path)).toBe(name);
  });

  it.each([
    ['docker/Dockerfile', 'Dockerfile'],
    ['Dockerfile.dev', 'Dockerfile'],
    ['Makefile', 'Makefile'],
    ['Gemfile', 'Ruby'],
    ['Rakefile', 'Ruby'],
    ['src/CMakeLists.txt', 'CMake'],
    ['go.mod', 'Go Module'],
    ['BUILD.bazel', 'Starlark'],
    ['.gitignore', 'Ignore List'],
    ['.env', 'Dotenv'],
    ['.env.staging.eu', 'Dotenv'],
    ['Justfile', 'Just'],
    ['justfile', 'Just'],
    ['Jenkinsfile', 'Groovy'],
    ['Jenkinsfile.release', 'Groovy'],
    ['LICENSE', 'Text'],
    ['LICENSE-MIT', 'Text'],
    ['NOTICE', 'Text'],
    ['requirements.txt', 'Pip Requirements'],
    ['pom.xml', 'Maven POM'],
    ['tsconfig.json', 'JSON with Comments'],
    ['.bashrc', 'Shell'],
    ['CODEOWNERS', 'CODEOWNERS'],
  ])('knows %s by its name', (path, name) => {
    expect(nameOf(path)).toBe(name);
  });

  it.each([
    'bin/run',
    'x/constructor',
    '__proto__',
    'a.unheard-of',
    'notes-1.2',
    'Makefile/x',
    '',
    '.',
    'trailing.',
    'toString',
  ])('does not guess at %j', (path) => {
    expect(languageOf(path)).toBeUndefined();
  });

  it('heeds the attribute before the name, by name or alias, and falls back where it is unknown', () => {
    expect(languageOf('a.h', { language: 'C++' })?.name).toBe('C++');
    expect(languageOf('a.h', { language: 'cpp' })?.name).toBe('C++');
    expect(languageOf('a.x', { language: 'Jupyter-Notebook' })?.name).toBe('Jupyter Notebook');
    expect(languageOf('a.h', { language: 'Klingon' })?.name).toBe('C');
  });

  it('gives type and fence', () => {
    expect(languageOf('a.cpp')).toEqual({ name: 'C++', type: 'programming', fence: 'cpp' });
    expect(languageOf('a.sh')?.fence).toBe('sh');
    expect(languageOf('a.jsx')?.fence).toBe('jsx');
    expect(languageOf('a.md')).toEqual({ name: 'Markdown', type: 'prose', fence: 'markdown' });
    expect(languageOf('a.css')?.type).toBe('markup');
    expect(languageOf('a.json')?.type).toBe('data');
  });
});

describe('languageOfScript', () => {
  it.each([
    ['#!/bin/sh\nset -e\n', 'Shell'],
    ['#!/usr/bin/env node\r\n', 'JavaScript'],
    ['#! /usr/bin/env python3.12', 'Python'],
    ['#!/usr/bin/env -S deno run --allow-net', 'TypeScript'],
    ['#!/usr/bin/env -S A=b ruby -w', 'Ruby'],
    ['#!/usr/bin/perl -w', 'Perl'],
    ['#!/usr/local/bin/lua5.4', 'Lua'],
  ])('reads %j', (text, name) => {
    expect(languageOfScript(text)?.name).toBe(name);
  });

  it.each([
    '',
    '#!',
    '#!/usr/bin/env',
    '#!/usr/bin/env -S',
    'x\n#!/bin/sh',
    '#!/opt/ours/runner',
    '#!/bin/constructor',
  ])('does not guess at %j', (text) => {
    expect(languageOfScript(text)).toBeUndefined();
  });
});
