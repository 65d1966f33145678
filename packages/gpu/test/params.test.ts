import {describe, expect, it} from 'vitest';
import {float64Words, packStruct, wordOf} from '@epsball/gpu';

const Mixed = {
  size: 64,
  fields: {
    count: {offset: 0, type: 'u32'},
    shift: {offset: 4, type: 'i32'},
    eps2: {offset: 8, type: 'vec2u'},
    scale: {offset: 16, type: 'f32'},
    pending: {offset: 20, type: 'atomic<u32>'},
    axes: {offset: 32, type: 'array<vec4u, 2>'},
  },
} as const;

const VALUES = {count: 0xffffffff, shift: -2, eps2: float64Words(0.1), scale: 1.5, pending: 7, axes: [1, 2, 3, 4, 5]};

describe('a packed struct', () => {
  it('has each value at its field’s offset, in the field’s type, and zeros elsewhere', () => {
    const bytes = packStruct(Mixed, VALUES);
    expect(bytes.byteLength).toBe(64);
    const view = new DataView(bytes);
    expect(view.getUint32(0, true)).toBe(0xffffffff);
    expect(view.getInt32(4, true)).toBe(-2);
    expect(view.getFloat64(8, true)).toBe(0.1);
    expect(view.getFloat32(16, true)).toBe(1.5);
    expect([...new Uint32Array(bytes, 20)]).toEqual([7, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0]);
  });

  it('can be written into memory of the caller', () => {
    const into = new DataView(new ArrayBuffer(256));
    expect(packStruct(Mixed, VALUES, into)).toBe(into.buffer);
    expect(into.getInt32(4, true)).toBe(-2);
  });

  it('is read back by the word index of a field', () => {
    const words = new Uint32Array(packStruct(Mixed, VALUES));
    expect(words[wordOf(Mixed, 'pending')]).toBe(7);
    expect(words[wordOf(Mixed, 'count')]).toBe(0xffffffff);
  });
});
