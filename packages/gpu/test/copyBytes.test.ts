import {describe, expect, it} from 'vitest';
import {copyBytes} from '@epsball/gpu';

const ROOM = 64;
const memories = {
  own: () => new Uint8Array(ROOM),
  shared: () => new Uint8Array(new SharedArrayBuffer(ROOM)),
};
const KINDS = ['own', 'shared'] as const;

describe.each(KINDS)('from %s memory', (from) => {
  it.each(KINDS)('to %s copies what was asked and nothing beside it, at any alignment', (to) => {
    for (const [sourceAt, targetAt, length] of [
      [0, 0, ROOM],
      [0, 8, 32],
      [3, 5, 17],
      [9, 0, 1],
      [ROOM, ROOM, 0],
      [4, 60, 0],
    ]) {
      const source = memories[from]().map((_, k) => k + 1);
      // `map` returns memory of its own.
      const held = memories[from]();
      held.forEach((_, k) => (held[k] = source[k]));
      const target = memories[to]().fill(0xee);
      copyBytes(target.subarray(targetAt, targetAt + length), held.subarray(sourceAt, sourceAt + length));
      const expected = Array.from({length: ROOM}, (_, k) =>
        k >= targetAt && k < targetAt + length ? source[k - targetAt + sourceAt] : 0xee,
      );
      expect([...target]).toEqual(expected);
    }
  });

  it.each(KINDS)('to %s refuses another length', (to) => {
    for (const length of [0, 1, ROOM - 1]) {
      expect(() => copyBytes(memories[to](), memories[from]().subarray(0, length))).toThrow(RangeError);
    }
  });
});

it('takes arrays of different types', () => {
  const target = new Float64Array(new SharedArrayBuffer(16));
  copyBytes(target, new Uint32Array(new Float64Array([1.5, -2]).buffer));
  expect([...target]).toEqual([1.5, -2]);
});
