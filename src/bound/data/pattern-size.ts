/** A piece of a pattern. */
interface Atom {
  /** The most it matches, in UTF-16 code units. */
  readonly most: number;
  /** If it is one character, or a class of them, repeated without end: the most that its fewest repetitions match. */
  readonly least?: number | undefined;
}

/**
 * How long a prefix of a text that matches a pattern has to be, in UTF-16 code units, so that it surely matches too.
 * Infinity if there is no such length, or if it isn't easily told. A pattern is searched for in a text, as JSON
 * Schema's `pattern` is (ECMA-262 with the `u` flag).
 */
export function prefixThatMatches(pattern: string): number {
  try {
    return new Reader(pattern).prefix();
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

class Reader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /**
   * Only a pattern that starts at the text's start tells anything. One that ends at the text's end is finite, or goes
   * on with characters of one class until there; one that doesn't end there may be followed by anything.
   */
  prefix(): number {
    if (!this.#take('^')) return Number.POSITIVE_INFINITY;
    const atoms = this.#sequence();
    const ends = this.#take('$');
    if (this.#at < this.#pattern.length) return Number.POSITIVE_INFINITY;
    const last = atoms.at(-1);
    const most = sum(atoms.slice(0, -1)) + (last?.least ?? last?.most ?? 0);
    return ends || last?.least !== undefined || Number.isFinite(most) ? most : Number.POSITIVE_INFINITY;
  }

  #sequence(): Atom[] {
    const atoms: Atom[] = [];
    for (;;) {
      const next = this.#pattern[this.#at];
      if (next === undefined || next === '|' || next === ')' || next === '$') return atoms;
      atoms.push(this.#repeated(this.#atom()));
    }
  }

  #repeated({ most, single }: { most: number; single: boolean }): Atom {
    const [quantifier, from, comma, to] =
      /^(?:[*+?]|\{(\d+)(,)?(\d+)?\})/.exec(this.#pattern.slice(this.#at)) ?? [];
    if (quantifier === undefined) return { most };
    this.#at += quantifier.length;
    this.#take('?');
    const least = quantifier === '*' || quantifier === '?' ? 0 : quantifier === '+' ? 1 : Number(from);
    const isEndless = quantifier === '*' || quantifier === '+' || (comma !== undefined && to === undefined);
    if (isEndless)
      return { most: most === 0 ? 0 : Number.POSITIVE_INFINITY, least: single ? least * most : undefined };
    return { most: most * (quantifier === '?' ? 1 : Number(to ?? from)) };
  }

  #atom(): { most: number; single: boolean } {
    const char = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    this.#at += char.length;
    if (char === '(') return { most: this.#group(), single: false };
    if (char === '[') return { most: this.#class(), single: true };
    if (char === '\\') return this.#escape();
    if (char === '^') throw new RangeError('a start within');
    return { most: char === '.' ? 2 : char.length, single: true };
  }

  #group(): number {
    const [mark] = /^\?(?::|<[A-Za-z_$][\w$]*>)/.exec(this.#pattern.slice(this.#at)) ?? [];
    if (mark === undefined && this.#pattern[this.#at] === '?') throw new RangeError('a look around');
    this.#at += mark?.length ?? 0;
    let most = 0;
    do {
      most = Math.max(most, sum(this.#sequence()));
    } while (this.#take('|'));
    if (!this.#take(')')) throw new RangeError('an end within');
    return most;
  }

  #class(): number {
    const [body] = /^(?:\\[\s\S]|[^\]\\])*\]/.exec(this.#pattern.slice(this.#at)) ?? [];
    if (body === undefined) throw new RangeError('a class without an end');
    this.#at += body.length;
    return /^\^|\\[SDWPpu]|[^\0-\x7f]/.test(body) ? 2 : 1;
  }

  #escape(): { most: number; single: boolean } {
    const [name] =
      /^(?:[dwsDWS]|[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[tnvfr0]|[^A-Za-z0-9])/u.exec(
        this.#pattern.slice(this.#at),
      ) ?? [];
    if (name === undefined) throw new RangeError('a boundary or a reference');
    this.#at += name.length;
    return { most: /^[SDWpPu]/.test(name) ? 2 : 1, single: true };
  }

  #take(char: string): boolean {
    if (this.#pattern[this.#at] !== char) return false;
    this.#at++;
    return true;
  }
}

function sum(atoms: readonly Atom[]): number {
  return atoms.reduce((total, { most }) => total + most, 0);
}
