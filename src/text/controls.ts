/**
 * Escape sequences of ECMA-48, section 5, spelled with ESC: a control string (OSC, as of hyperlinks, and DCS, SOS, PM,
 * APC) up to its terminator, which may be BEL to xterm; a control sequence (CSI, as of colours); any other escape.
 */
export const ESCAPE_SEQUENCE = String.raw`\u001b(?:[\]PX^_][^\u0000-\u001f]{0,4096}(?:\u0007|\u001b\\)|\[[0-?]{0,128}[ -/]*[@-~]|[ -/]{0,8}[0-~])`;

/** A text without escape sequences and control characters, but for tabs and line feeds, which stand for all ends of lines. */
export function withoutControls(text: string): string {
  return text.replace(ESCAPES, '').replace(LINE_END, '\n').replace(CONTROLS, '');
}

const CONTROLS = /[^\P{Cc}\t\n]/gu;
const ESCAPES = new RegExp(ESCAPE_SEQUENCE, 'g');
const LINE_END = /\r\n?|[\v\f\x85]/g;
