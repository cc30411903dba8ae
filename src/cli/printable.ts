// C0 and C1 controls, DEL, line and paragraph separators, invisible and bidirectional formatting (Unicode's
// Bidi_Control), and surrogates without their other half.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}\u200b\ufeff]/gu;

/**
 * `text` as one line that can do nothing to a terminal: what is not printable stands as an escape (`\n`,
 * `\x1b`, `\u202e`). A byte of a name that is not UTF-8, held as U+DC80 to U+DCFF, stands as that byte.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escapeOf);
}

function escapeOf(char: string): string {
  if (char === '\n') return '\\n';
  if (char === '\t') return '\\t';
  if (char === '\r') return '\\r';
  const code = char.charCodeAt(0);
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
