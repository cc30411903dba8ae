export interface Place {
  readonly file: number;
  readonly line: number;
  readonly by: string;
}
export interface Expected {
  readonly subjects: readonly string[];
  readonly attributes: readonly string[];
  readonly values: readonly (string | RegExp)[];
  readonly places: readonly Place[];
  readonly isSentence?: boolean;
}
export interface Found extends Place {
  readonly key: string;
  readonly value: string;
  readonly quote: string;
  readonly isVerified: boolean;
}
export interface Score {
  readonly expected: number;
  readonly found: number;
  readonly misplaced: number;
  readonly cited: number;
  readonly facts: number;
  readonly right: number;
  readonly extra: number;
  readonly unsupported: number;
  readonly forbidden: number;
  readonly astray: number;
  readonly generic: number;
  readonly named: number;
}
export function f1(one: string, other: string): number;
export function says(text: string, values: readonly (string | RegExp)[]): boolean;
export function score(
  fixture: { readonly expected: readonly Expected[]; readonly never: readonly string[] },
  facts: readonly Found[],
): Score;
export function standing(
  fixture: { readonly stands: readonly string[]; readonly gone: readonly string[] },
  values: readonly string[],
): { readonly checks: number; readonly wrong: readonly string[] };
export function precision(score: Score): number;
export function recall(score: Score): number;
