/** Why a line can't be imported; lines are counted from 1. */
export class BadLine extends Error {
  override readonly name = 'BadLine';

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
  }
}
