import type { Expected } from './score.mjs';

export interface Fixture {
  readonly name: string;
  readonly about: string;
  readonly expected: readonly Expected[];
  readonly never: readonly string[];
  readonly secrets: readonly string[];
  readonly stands: readonly string[];
  readonly gone: readonly string[];
  readonly files: readonly {
    readonly path: string;
    readonly format: string;
    readonly text: string;
    readonly turns: readonly { readonly by: string; readonly line: number; readonly text: string }[];
  }[];
}
export function fixtures(): Fixture[];
export function writeFixtures(folder: string, fixtures?: readonly Fixture[]): void;
