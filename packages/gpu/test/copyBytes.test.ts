import {InvalidParameterError} from '@epsball/clustering';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {copyBytes} from '@epsball/gpu';

const ROOM = 64;
const memories = {
  own: () => new Uint8Array(ROOM),
  shared: () => new Uint8Array(new SharedArrayBuffer(ROOM)),
};
const KINDS = ['own', 'shared'] as const;

/** Offsets in source and target, and lengths. */
const PLACES = [
  [0, 0, ROOM],
  [0, 8, 32],
  [3, 5, 17],
  [9, 0, 1],
  [ROOM, ROOM, 0],
  [4, 60, 0],
] as const;

afterEach(() => vi.unstubAllGlobals());

describe.each(KINDS)('from %s memory', (from) => {
  describe.each(['node', 'a browser'])('in %s', (where) => {
    it.each(KINDS)('to %s copies the given bytes and no others, at any alignment', (to) => {
      for (const [sourceAt, targetAt, length] of PLACES) {
        const source = memories[from]();
        source.forEach((_, k) => (source[k] = k + 1));
        const target = memories[to]().fill(0xee);
        if (where !== 'node') vi.stubGlobal('process', undefined);
        copyBytes(target.subarray(targetAt, targetAt + length), source.subarray(sourceAt, sourceAt + length));
        vi.unstubAllGlobals();
        const expected = Array.from({length: ROOM}, (_, k) =>
          k >= targetAt && k < targetAt + length ? k - targetAt + sourceAt + 1 : 0xee,
        );
        expect([...target]).toEqual(expected);
      }
    });
  });

  it.each(KINDS)('to %s rejects a different length', (to) => {
    for (const length of [0, 1, ROOM - 1]) {
      const source = memories[from]().subarray(0, length);
      expect(() => copyBytes(memories[to](), source)).toThrow(InvalidParameterError);
    }
  });
});

it('takes arrays of different types', () => {
  const target = new Float64Array(new SharedArrayBuffer(16));
  copyBytes(target, new Uint32Array(new Float64Array([1.5, -2]).buffer));
  expect([...target]).toEqual([1.5, -2]);
});
