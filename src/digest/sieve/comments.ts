import type { Language } from '../language/language.ts';

/** A line of a comment. */
export interface CommentLine {
  /** Without the comment's own signs and frames. */
  readonly text: string;
  /** False where it is set in, as an example is. */
  readonly flush: boolean;
}

/** What may stand before the first comment or between comments without being code. */
const PROLOGUE =
  /^(?:#!.*|<\?(?:php|xml|hh).*|<!doctype.*|<(?:html|head|meta)\b.*|(['"])use (?:client|server|strict)\1;?|package [\w.]+;?|declare\(strict_types=1\);|#line .*|#(?:nullable|pragma|region)\b.*|@charset .*|\{|---)$/i;

/** A comment's sign at the start of a line; `#include` and its like are code. */
const LINE_COMMENT =
  /^(?:\/{2,}!?|#+(?!(?:define|elif|else|endif|error|if|ifdef|ifndef|import|include|undef|using)\b|\[|!\[)|;+|--+|%+|'|!|\.\.|dnl\b|@?rem\b|::|\*+)/i;

/** The signs that enclose a comment of several lines. */
const BLOCKS: readonly (readonly [open: string, close: string])[] = [
  ['<!--', '-->'],
  ['/*', '*/'],
  ['"""', '"""'],
  ["'''", "'''"],
  ['{-', '-}'],
  ['(*', '*)'],
  ['--[[', ']]'],
  ['=begin', '=end'],
  ['<#', '#>'],
  ['#|', '|#'],
  ['<%--', '--%>'],
  ['{#', '#}'],
  ['@*', '*@'],
];

/**
 * The lines of the comments that stand before a text's first code, in whatever language; blank ones are left out.
 * In prose, only HTML comments are any, and front matter may stand before them.
 */
export function leadingComments(head: string, language: Language | undefined): CommentLine[] {
  const prose =
    language?.type === 'prose' && language.name !== 'Text' && language.name !== 'reStructuredText';
  const lines: CommentLine[] = [];
  let close: string | undefined;
  let frontMatter = false;
  for (const [index, raw] of head
    .replace(/^\ufeff/, '')
    .split(/\r\n|[\r\n]/)
    .entries()) {
    const line = raw.trim();
    if (line === '') continue;
    if (close !== undefined) {
      const end = line.indexOf(close);
      lines.push(commentLine(end < 0 ? raw : raw.slice(0, raw.indexOf(close)), /^\s*[*#;|%-]*/));
      if (end < 0) continue;
      if (line.length > end + close.length) break;
      close = undefined;
      continue;
    }
    if (prose && (frontMatter || index === 0) && line === '---') {
      frontMatter = !frontMatter;
      continue;
    }
    if (frontMatter) continue;
    const block = BLOCKS.find(([open]) => line.startsWith(open) && (!prose || open === '<!--'));
    if (block) {
      const [open, end] = block;
      const rest = line.slice(open.length);
      const closed = rest.indexOf(end);
      lines.push(commentLine(closed < 0 ? rest : rest.slice(0, closed), /^[*!]*/));
      if (closed < 0) close = end;
      else if (rest.length > closed + end.length) break;
    } else if (!prose && LINE_COMMENT.test(line)) lines.push(commentLine(line, LINE_COMMENT));
    else if (prose || !PROLOGUE.test(line)) break;
  }
  return lines;
}

function commentLine(line: string, sign: RegExp): CommentLine {
  const body = line.replace(sign, '');
  return { text: body.replace(/^[\s*=#!~_<>|+:.;/-]+/, '').trimEnd(), flush: !/^(?: {2}|\t)/.test(body) };
}
