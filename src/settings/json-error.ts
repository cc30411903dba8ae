/** Where a text stops being JSON, as a person counts: both from 1, the column in UTF-16 code units. */
export interface JsonErrorPosition {
  readonly line: number;
  readonly column: number;
}

const SPACE = /[\t\n\r ]*/y;
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Finds the token at which `text` stops being JSON (RFC 8259); `undefined` where all of it is JSON.
 * `JSON.parse` tells the position of some errors only.
 */
export function jsonErrorPosition(text: string): JsonErrorPosition | undefined {
  let at = 0;

  function take(token: RegExp): boolean {
    token.lastIndex = at;
    if (!token.test(text)) return false;
    at = token.lastIndex;
    return true;
  }

  function takeMark(mark: string): boolean {
    take(SPACE);
    if (text[at] !== mark) return false;
    at += 1;
    return true;
  }

  function takeKey(): boolean {
    take(SPACE);
    return take(STRING) && takeMark(':');
  }

  /** Takes one value whole; not by recursion, so that no depth is too deep. */
  function takeValue(): boolean {
    const open: ('}' | ']')[] = [];
    for (;;) {
      if (takeMark('{')) {
        if (!takeMark('}')) {
          open.push('}');
          if (!takeKey()) return false;
          continue;
        }
      } else if (takeMark('[')) {
        if (!takeMark(']')) {
          open.push(']');
          continue;
        }
      } else if (!take(STRING) && !take(SCALAR)) {
        return false;
      }
      let close = open.at(-1);
      while (close && takeMark(close)) {
        open.pop();
        close = open.at(-1);
      }
      if (!close) return true;
      if (!takeMark(',')) return false;
      if (close === '}' && !takeKey()) return false;
    }
  }

  const whole = takeValue();
  take(SPACE);
  if (whole && at === text.length) return undefined;
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
