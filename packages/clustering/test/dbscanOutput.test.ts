import {deliver, extendResult, InvalidParameterError, validateOutput} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';

describe('the output of a run', () => {
  it('takes the two words, and arrays of the right type and length', () => {
    for (const labels of [undefined, 'owned', 'borrowed', new Int32Array(3)] as const) validateOutput({labels}, 3);
    validateOutput({coreMask: new Uint8Array(3)}, 3);
    const wrong: unknown[] = ['mine', new Int32Array(2), new Uint32Array(3), [1, 2, 3], null];
    for (const labels of wrong) {
      expect(() => validateOutput({labels: labels as Int32Array}, 3)).toThrow(InvalidParameterError);
    }
    expect(() => validateOutput({labels: new Int32Array(2)}, 3)).toThrow(
      `labels = "Int32Array(2)"; expected 'owned', 'borrowed' or an Int32Array of length 3`,
    );
    expect(() => validateOutput({coreMask: new Uint8Array(4)}, 3)).toThrow('a Uint8Array of length 3');
  });

  it('is copied once into arrays of the caller', () => {
    const result = {labels: Int32Array.of(0, -1), coreMask: Uint8Array.of(1, 0)};
    expect(deliver(result, {})).toBe(result);
    const output = {labels: new Int32Array(2), coreMask: new Uint8Array(2)};
    const delivered = deliver(result, output);
    expect(delivered.labels).toBe(output.labels);
    expect(delivered).toEqual(result);
    expect(deliver(delivered, output)).toBe(delivered);
  });

  it('keeps properties that are computed when they are read', () => {
    let reads = 0;
    const lazy = {
      get coreMask() {
        reads++;
        return Uint8Array.of(1);
      },
    };
    const extended = extendResult(lazy, {stats: 5});
    expect(reads).toBe(0);
    expect({...extended}).toEqual({coreMask: Uint8Array.of(1), stats: 5});
    expect(structuredClone(extended)).toEqual({coreMask: Uint8Array.of(1), stats: 5});
  });
});
