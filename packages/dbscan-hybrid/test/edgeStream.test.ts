import {describeGpu, withGpu} from '@epsball/gpu/testing';
import {expect, it} from 'vitest';
import {EdgeStream} from '../src/edgeStream.ts';

describeGpu('the stream of edges', () => {
  const rig = withGpu();

  it('holds nothing where the device has memory for one lane only, and takes less afterwards', async () => {
    const stream = new EdgeStream(rig.gpu, 'test');
    const before = rig.gpu.allocatedBytes;
    const {device} = rig.gpu;
    // A buffer that no device has, which is refused as one beyond the free memory is.
    device.createBuffer = (descriptor) =>
      Object.getPrototypeOf(device).createBuffer.call(device, {
        ...descriptor,
        size: descriptor.label === 'test/edges1' && descriptor.size > 4096 ? 2 ** 50 : descriptor.size,
      });
    try {
      expect(await stream.reserve(2048)).toBeUndefined();
      expect(rig.gpu.allocatedBytes).toBe(before);
      const lanes = await stream.reserve(1024);
      expect(lanes?.map(({edges, staging}) => [edges.size, staging.size])).toEqual([
        [4096, 4096],
        [4096, 4096],
      ]);
    } finally {
      Reflect.deleteProperty(device, 'createBuffer');
      stream.destroy();
    }
    expect(rig.gpu.allocatedBytes).toBe(before);
  });
});
