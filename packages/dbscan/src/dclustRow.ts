import {defineBackend, requiredGpu} from '@epsball/clustering/catalogue';
import {defineRow, type CatalogueRow} from './catalogueRow.ts';
import {DIRECTORY_OPTIONS} from './indexOptions.ts';

/** A row of the catalogue. */
export const dclustRow: CatalogueRow = defineRow({
  id: 'dclust',
  package: '@epsball/dbscan-dclust',
  title: 'CUDA-DClust and CUDA-DClust* (chains)',
  summary: 'Expands many chains of points at the same time and joins those that collide. For many dimensions.',
  source: 'Böhm, Noll, Plant, Wackersreuther 2009, Density-based clustering using graphics processors',
  on: {
    gpu: defineBackend({
      maxDim: 64,
      // Beyond 4 dimensions gdbscan has no grid. On an H200, 260,000 points in Gaussians take dclust and gdbscan 84
      // and 294 ms in 5 dimensions, 17 and 284 in 8, 128 and 2765 in 64. 5000 points take both 2 to 7 ms.
      preference: 9,
      options: {
        index: {
          description: 'index for candidates: a directory by quantiles (CUDA-DClust*), or none, which tests all points',
          values: ['directory', 'none'],
          defaultValue: 'directory',
        },
        chains: {description: 'chains expanded at the same time', min: 1, max: 4096, defaultValue: 'auto'},
        seedLength: {description: 'length of the seed list of a chain', min: 1, max: 2 ** 20, defaultValue: 1024},
        ...DIRECTORY_OPTIONS,
        fanout: {
          ...DIRECTORY_OPTIONS.fanout,
          description: 'partitions of a node of the directory; auto is 16, or less for few points',
          defaultValue: 'auto',
        },
        pca: {
          ...DIRECTORY_OPTIONS.pca,
          rule: {words: 'on needs index directory', holds: ({pca, index}) => pca === 'off' || index === 'directory'},
        },
        quarantineBytes: {
          description: 'bytes for neighbours of seeds that may not be core, used if minPts is large',
          min: 0,
          max: 2 ** 31 - 4,
          defaultValue: 2 ** 26,
        },
        kernelTimes: {
          description: 'whether each kernel is timed separately, which is slower',
          values: ['off', 'on'],
          defaultValue: 'off',
        },
      },
      create: async ({gpu, options: {pca, kernelTimes, ...options}}) => {
        const {createDclustGpu} = await import('@epsball/dbscan-dclust/gpu');
        return createDclustGpu(requiredGpu(gpu), {
          ...options,
          pca: pca === 'on',
          kernelTimes: kernelTimes === 'on',
        });
      },
    }),
  },
});
