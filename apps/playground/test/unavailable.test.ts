import {describe, expect, it} from 'vitest';
import {whyUnavailable} from '../src/compare/unavailable.ts';
import type {Environment} from '../src/compute/api.ts';

const WHOLE: Environment = {
  gpu: {isAvailable: true, isSoftware: false, text: 'nvidia'},
  hasSharedMemory: true,
  threads: 8,
};
const WITHOUT_GPU: Environment = {...WHOLE, gpu: {isAvailable: false, isSoftware: false, text: 'no adapter'}};
const NOT_ISOLATED: Environment = {...WHOLE, hasSharedMemory: false};

describe('why a variant cannot run in this browser', () => {
  it('is undefined with WebGPU and shared memory, and before the browser has been asked', () => {
    for (const backend of ['sequential', 'workers', 'gpu'] as const) {
      expect(whyUnavailable(WHOLE, 'hybrid', backend)).toBeUndefined();
      expect(whyUnavailable(undefined, 'hybrid', backend)).toBeUndefined();
    }
  });

  it('names WebGPU for the backend gpu', () => {
    expect(whyUnavailable(WITHOUT_GPU, 'dense-grid', 'gpu')).toBe('no WebGPU in this browser');
    expect(whyUnavailable(WITHOUT_GPU, 'dense-grid', 'workers')).toBeUndefined();
  });

  it('names isolation for worker threads, those of the hybrid too', () => {
    const expected = 'no shared memory: the page is not cross-origin isolated';
    expect(whyUnavailable(NOT_ISOLATED, 'pds', 'workers')).toBe(expected);
    expect(whyUnavailable(NOT_ISOLATED, 'hybrid', 'gpu')).toBe(expected);
    expect(whyUnavailable(NOT_ISOLATED, 'gdbscan', 'gpu')).toBeUndefined();
    expect(whyUnavailable(NOT_ISOLATED, 'pds', 'sequential')).toBeUndefined();
  });
});
