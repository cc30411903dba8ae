/** Lines counted from 0; `end` is the line after the last. */
export interface Lines {
  readonly start: number;
  readonly end: number;
}

/**
 * Something that a file defines: a function, a method, a class, a type, a field, a constant that others can use,
 * a heading, a key.
 */
export interface Definition {
  readonly name: string;
  /**
   * From its decorators or attributes and modifiers to where its body starts (parameters, bounds, return type); of
   * what has no body, all of it.
   */
  readonly signature: Lines;
  /** The line of its doc comment (or docstring) that says what it is: the first with words. */
  readonly doc?: number;
  /** All of it, doc comment and attributes included. */
  readonly whole: Lines;
  /**
   * Lines between the signature and the closing line that can be left out without losing a definition in it: bodies
   * of functions and long values, not of classes.
   */
  readonly body?: Lines;
  /** How many definitions it stands in. */
  readonly depth: number;
  /**
   * Whether other files can use it, by the language's own rule (export, pub, capital letter in Go, no leading
   * underscore in Python, public/protected …); inside a definition that isn't exported: false.
   */
  readonly exported: boolean;
}

/** What a file takes from others and what it defines. */
export interface Outline {
  readonly imports: readonly Lines[];
  /**
   * In the order in which they stand; what contains others before them. Two may share the line where the one ends and the
   * other starts, and what one statement defines (`a, b = 1, 2`) all its lines.
   */
  readonly definitions: readonly Definition[];
}

/** Why a file has no outline: it took too long, it is too large or defines too much, or its parser failed. */
export interface OutlineFailure {
  readonly failure: 'time' | 'size' | 'parser';
}
