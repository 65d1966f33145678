import {IntList} from './arrays.ts';

/** Lengths of blocks, rising by a third or a half: 1, 2, 3, 4, 6, 8, 12, 16, … */
export const BLOCK_LENGTHS: readonly number[] = blockLengths();

/** Hands out ranges of positions, one a cell. A range that is given back serves another cell of its length. */
export class Blocks {
  /** Positions are below this. */
  end = 0;
  readonly #free = BLOCK_LENGTHS.map(() => new IntList());

  /** The first position of a block of `BLOCK_LENGTHS[kind]` positions. */
  take(kind: number): number {
    const free = this.#free[kind];
    if (free.length > 0) return free.values[--free.length];
    const start = this.end;
    this.end += BLOCK_LENGTHS[kind];
    return start;
  }

  give(start: number, kind: number): void {
    this.#free[kind].push(start);
  }
}

function blockLengths(): number[] {
  const lengths = [1, 2];
  for (let power = 2; power < 2 ** 30; power *= 2) lengths.push(power * 1.5, power * 2);
  return lengths;
}
