import {describe, expect, it} from 'vitest';
import {NO_OWNER, resolveCollisions} from '../src/collisionMatrix.ts';

const ROOT = 0xffffffff;

/** The matrix with the given pairs of rows. */
function matrixOf(rows: number, pairs: readonly (readonly [number, number])[]): Uint32Array {
  const words = new Uint32Array(Math.ceil(rows ** 2 / 32));
  for (const [i, j] of pairs) {
    const bit = Math.min(i, j) * rows + Math.max(i, j);
    words[Math.floor(bit / 32)] |= 1 << (bit % 32);
  }
  return words;
}

describe('resolveCollisions', () => {
  it('leaves rows without collisions as they are', () => {
    expect([...resolveCollisions(matrixOf(3, []), Uint32Array.of(10, 20, 30))]).toEqual([ROOT, ROOT, ROOT]);
  });

  it('follows collisions from row to row', () => {
    const pairs = [
      [4, 2],
      [2, 3],
      [1, 5],
    ] as const;
    const owners = Uint32Array.of(10, 11, 12, 13, 14, 15);
    expect([...resolveCollisions(matrixOf(6, pairs), owners)]).toEqual([ROOT, ROOT, ROOT, 12, 12, 11]);
  });

  it('reads every word, and the highest bit of a word', () => {
    // Bit 31 of 8 rows is the pair (3, 7); the last pair of 70 rows lies in the last words.
    expect([
      ...resolveCollisions(
        matrixOf(8, [[3, 7]]),
        Uint32Array.from({length: 8}, (_, k) => k),
      ),
    ]).toEqual([...Array.from({length: 7}, () => ROOT), 3]);
    expect(
      resolveCollisions(
        matrixOf(70, [[68, 69]]),
        Uint32Array.from({length: 70}, (_, k) => 100 + k),
      )[69],
    ).toBe(168);
  });

  it('leaves rows without an owner as they are', () => {
    expect([...resolveCollisions(matrixOf(2, []), Uint32Array.of(NO_OWNER, 5))]).toEqual([ROOT, ROOT]);
  });
});
