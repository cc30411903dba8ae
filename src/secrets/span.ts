/** A secret's place in a text, in UTF-16 code units, and the short name of the rule that found it. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}
