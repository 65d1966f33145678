import {createDenseGridSequential} from '@epsball/dbscan-dense-grid';
import {createDenseGridGpu} from '@epsball/dbscan-dense-grid/gpu';
import {generateDataset} from '@epsball/datasets';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';
import {expect, it} from 'vitest';

describeLongGpu('dense-grid on crowded cells', () => {
  const rig = withGpu();

  // Cells of so many points that an invocation gives up, and the run begins again with blocks.
  it.for([
    'adversary-two-cells:n=12000,dim=2,seed=1',
    'adversary-two-cells:n=12000,dim=3,seed=1',
    'adversary-half:n=10000,dim=2,seed=1',
    'adversary-ten-places:n=40000,dim=1,seed=1',
  ])('gives the labels of the calling thread for %s', async (name) => {
    using dbscan = await createDenseGridGpu(rig.gpu);
    using reference = createDenseGridSequential();
    const points = generateDataset(name);
    for (const minPts of [5, 4000]) {
      const params = {eps: 1, minPts};
      const [actual, expected] = [await dbscan.run(points, params), await reference.run(points, params)];
      expect(actual.clusterCount).toBe(expected.clusterCount);
      expect(Buffer.from(actual.labels.buffer).equals(Buffer.from(expected.labels.buffer))).toBe(true);
      expect(Buffer.from(actual.coreMask).equals(Buffer.from(expected.coreMask))).toBe(true);
    }
  });
});
