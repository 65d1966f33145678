import {expect, it} from 'vitest';
import {findAdapter, openGpu, type Gpu} from '@epsball/gpu';
import {describeGpu} from '@epsball/gpu/testing';
import {NeighborGraphBuilder} from '@epsball/neighbor-graph';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {shapes} from './graphs.ts';

/** Sums over a graph that do not depend on the order of positions. */
async function sumsOn(gpu: Gpu): Promise<number[]> {
  using builder = await NeighborGraphBuilder.create(gpu);
  using uploader = new PointUploader(gpu, 'test');
  const points = await uploader.upload(shapes[0].points);
  const {edgeCount, maxDegree} = await builder.build(points, {eps: 0.04, minPts: 7}, {index: 'none'});
  return [edgeCount, maxDegree, (await builder.plan('coreToCore')).edgeCount];
}

describeGpu('a device with default limits', () => {
  it('gives the same graph', async () => {
    const {adapter} = await findAdapter();
    const device = await adapter.requestDevice();
    using narrow = await openGpu({device});
    using gpu = await openGpu();
    expect(await sumsOn(narrow)).toEqual(await sumsOn(gpu));
    device.destroy();
  });
});
