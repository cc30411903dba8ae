import type { Language } from '../language/language.ts';

/**
 * Whether a text says of itself that a tool wrote it. Only what stands in the comments before the first code
 * counts, and only in a form that speaks of the file itself: a source that holds a mark in a string, and a
 * document that explains one, are written by hand. So are templates, whose marks are meant for what they make.
 */
export function isGenerated(path: string, text: string, language: Language | undefined): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isRecorded(name, text) || hasSourceMap(name, text)) return true;
  const head = text.slice(0, HEAD);
  if (!ANY_MARK.test(head) || SHOWN_ALL_THE_SAME.test(path)) return false;
  const lines = leadingComments(head, language);
  if (lines.some((line) => TOOL_MARK.test(line.text))) return true;
  return !isTemplate(name, head) && lines.some((line, index) => isMark(line, lines.slice(index, index + 4)));
}

/** Marks stand within the first characters; licenses may stand before them. */
const HEAD = 6_000;
const ANY_MARK = /generat|do not (?:edit|modify|change)|changes made in this file|made by GNU Bison/i;

/** What opens the project stays even if a tool fills it in: its README, and a published crate's own manifest. */
const SHOWN_ALL_THE_SAME = /^(?:readme\b[^/]*|cargo\.toml)$/i;

/** Recordings and metadata that tools write without a mark. */
function isRecorded(name: string, text: string): boolean {
  if (name.endsWith('.meta')) return text.startsWith('fileFormatVersion: ');
  if (name.endsWith('.yml')) return /\nrecorded_with: VCR /.test(text.slice(-200));
  if (name.endsWith('.xml')) return /^(?:<\?xml[^>]*>\s*)?<doc>\s*<assembly>/.test(text.slice(0, 300));
  return false;
}

/** Compiled code ends with the address of its source map. */
function hasSourceMap(name: string, text: string): boolean {
  return (
    /\.(?:[cm]?js|css)$/.test(name) &&
    /\n\/[/*][#@] source(?:Mapping)?URL=\S+(?:\s*\*\/)?\s*$/.test(text.slice(-2_000))
  );
}

const TEMPLATE_NAME =
  /\.(?:askama|eex|ejs|erb|ftl|gotmpl|gtpl|handlebars|hbs|heex|in|j2|jinja2?|liquid|mako|mustache|njk|qtpl|scriban|sbn|st|stg|stub|t4|template|tera|tmpl|tpl|tt|ttinclude|twig|vm)(?:\.\w+)?$/i;

/** By its name, or by a placeholder near its head; `${{ … }}` is GitHub's own. */
function isTemplate(name: string, head: string): boolean {
  return TEMPLATE_NAME.test(name) || /(?<![$\w])\{\{[^}\n]*\}\}|<%[^>\n]*%>|\{%[^}\n]*%\}/.test(head);
}

interface CommentLine {
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

/** The lines of the comments before a text's first code, blank lines left out. In prose, only HTML comments are any. */
function leadingComments(head: string, language: Language | undefined): CommentLine[] {
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
      if (end >= 0) close = undefined;
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
    } else if (!prose && LINE_COMMENT.test(line)) lines.push(commentLine(line, LINE_COMMENT));
    else if (prose || !PROLOGUE.test(line)) break;
  }
  return lines;
}

function commentLine(line: string, sign: RegExp): CommentLine {
  const body = line.replace(sign, '');
  return { text: body.replace(/^[\s*=#!~_<>|+:.;/-]+/, '').trimEnd(), flush: !/^(?: {2}|\t)/.test(body) };
}

const START = String.raw`(?:^|[.!;] +)(?:(?:attention|caution|important|nb|note|notice|warning)\b[\s:!.*-]*)?`;
const WHOLE_FILE = String.raw`(?:this (?:[\w+#.-]+ ){0,2}?(?:code|document|file|header|module|page|program|script|source)|(?:the )?contents? of this file) (?:is|are|was|were|has been)`;
const BY_MACHINE = '(?:automatically|auto|machine|programmatically)[- ]?(?:re)?generated';
const THING = '(?:class|code|config|configuration|content|file|header|module|script|source)';
const HOW = String.raw`\s*(?:at|by|do not|don't|from|on|please|using|via|with)\b`;
const NO_MORE = String.raw`\s*(?:$|[.,;:!*(>/\\\[{–—-])`;

/** The line of Go's rule (`go help generate`), as other tools write it too. */
const GO_MARK = /^code generated\b.*\bdo not (?:edit|modify)\b/i;
const AT_GENERATED = new RegExp(
  `^(?:${WHOLE_FILE} )?(?:automatically )?@(?:auto)?generated(?:${HOW}|${NO_MORE}| SignedSource)`,
  'i',
);
/** Alone, `Auto-generated.` may head a part of a list as well as a file. */
const SAYS_BY_MACHINE = new RegExp(
  `${START}(?:${WHOLE_FILE} (?:an? )?${BY_MACHINE}\\b|this is (?:an? )?${BY_MACHINE} ${THING}\\b|` +
    `${BY_MACHINE}(?: ${THING}(?:${HOW}|${NO_MORE})|${HOW}|\\s*/?>))`,
  'i',
);
/** Weaker words, which some tools write into what they only start for you: they need a ban on editing beside them. */
const SAYS_GENERATED = new RegExp(
  `${START}(?:${WHOLE_FILE} (?:an? )?|this is (?:an? )?|file |(?:please )?do not (?:edit|modify|change)\\b.*\\b)?generated(?: ${THING})?(?:${HOW}|${NO_MORE})`,
  'i',
);
const BANS_EDITS =
  /\b(?:do not|don't|never|should not be|must not be|not be|not to be) (?:\w+ )?(?:alter|chang|edit|modif|touch)|\bchanges\b.*\b(?:lost|overwritten)\b|\bnot? manual(?:ly)?\b/i;
const ONLY_BANS_EDITS =
  /^(?:PLEASE )?DO NOT (?:CHANGE|EDIT|MODIFY)(?: THIS FILE| THIS| IT)?(?: BY HAND| DIRECTLY| MANUALLY)?[\s.!*=#-]*$/;
/** What well-known tools write without such words. */
const TOOL_MARK =
  /^(?:a bison parser, made by gnu bison|a lexical scanner generated by flex|all changes made in this file will be lost|autogenerated by thrift|form implementation generated from reading ui file|generated (?:automatically )?(?:by|with) (?:antlr|automake|coffeescript|cython|doxygen|flatc|gnu autoconf|grammar-?kit|iced coffeescript|javacc|javadoc|jflex|jison|opal|peggy|peg\.js|rescript|roxygen2|the grpc|the protocol buffer compiler|typia)\b|generated from .* by antlr|makefile\.in generated by automake|meta object code from reading|[\w./-]+ generated by automake|the following code was generated by jflex|this file was generated (?:automatically )?by (?:javacc|racc|swig)\b)/i;

function isMark({ text, flush }: CommentLine, near: readonly CommentLine[]): boolean {
  if (flush && (GO_MARK.test(text) || AT_GENERATED.test(text))) return true;
  if (SAYS_BY_MACHINE.test(text) || ONLY_BANS_EDITS.test(text)) return true;
  return SAYS_GENERATED.test(text) && near.some((line) => BANS_EDITS.test(line.text));
}
