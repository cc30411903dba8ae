import { PlimsollError } from '../../errors.ts';
import { type JsonProblem, type Position, positionAt } from '../../json/problem.ts';
import { visibleName } from '../../text/visible.ts';

/** Why a `context.json` can't be read, and where. */
export class Damage extends Error implements JsonProblem {
  override readonly name = 'Damage';
  readonly line: number;
  readonly column: number;
  readonly problem: string;

  constructor({ line, column }: Position, problem: string) {
    super(`line ${line}, column ${column}: ${problem}`);
    this.line = line;
    this.column = column;
    this.problem = problem;
  }

  /** What a user is told of the damaged file at `path`. */
  in(path: string): PlimsollError {
    return new PlimsollError(
      'MEMORY_DAMAGED',
      `${visibleName(path)} is damaged at ${this.message}. Nothing is read from it or written to it until it is mended; \`plimsoll memory repair\` shows what can be done.`,
      { cause: this },
    );
  }
}

/** The damage at a byte of a file, counted from 0. */
export function damageAt(bytes: Uint8Array, offset: number, problem: string): Damage {
  return new Damage(positionAt(bytes, offset), problem);
}
