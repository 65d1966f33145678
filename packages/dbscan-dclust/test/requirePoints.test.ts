import {GpuLimitError} from '@epsball/clustering';
import {expect, it} from 'vitest';
import {requirePoints} from '../src/gpu/runBuffers.ts';

// WebGPU's defaults. Coordinates in blocks of four axes take 16 bytes per point.
const limits = {maxBufferSize: 2 ** 28, maxStorageBufferBindingSize: 2 ** 27};

it('points larger than any buffer are rejected before an upload, with the bytes', () => {
  expect(() => requirePoints(limits, 2 ** 23, 1)).not.toThrow();
  const rejected = (): void => requirePoints(limits, 2 ** 23 + 1, 1);
  expect(rejected).toThrow(GpuLimitError);
  expect(rejected).toThrow('bytes of dbscan-dclust/pointBlocks: asked 134217744, allowed 134217728');
});
