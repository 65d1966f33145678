import {defineBackend, defineVariant, requiredGpu, type VariantRow} from '@epsball/clustering/catalogue';
import type {Gpu} from '@epsball/gpu';
import {KD_DIM_MAX} from '@epsball/kd-tree';
import type {HdbscanAlgorithm} from './algorithm.ts';

export type HdbscanRow = VariantRow<HdbscanAlgorithm, Gpu>;

/** The variants of HDBSCAN*. Each backend imports its code on demand. */
export const hdbscanCatalogue: readonly HdbscanRow[] = [
  defineVariant<HdbscanAlgorithm, Gpu>({
    id: 'boruvka',
    package: '@epsball/hdbscan',
    title: 'HDBSCAN* by Borůvka',
    summary:
      'A minimum spanning tree of mutual reachability by Borůvka over a tree of boxes; equal edges are one step.',
    source: 'Campello, Moulavi, Sander 2013; McInnes, Healy 2017, Accelerated hierarchical density based clustering',
    on: {
      sequential: defineBackend({
        maxDim: KD_DIM_MAX,
        preference: 10,
        create: async () => {
          const {createHdbscanSequential} = await import('./hdbscanSequential.ts');
          return createHdbscanSequential();
        },
      }),
      workers: defineBackend({
        maxDim: KD_DIM_MAX,
        preference: 10,
        create: async ({threads}) => {
          const {createHdbscanWorkers} = await import('./workers/hdbscanWorkers.ts');
          return createHdbscanWorkers({threads});
        },
      }),
      gpu: defineBackend({
        maxDim: 1536,
        preference: 10,
        create: async ({gpu}) => {
          const opened = requiredGpu<Gpu>(gpu);
          const {createHdbscanGpu} = await import('./gpu/hdbscanGpu.ts');
          return createHdbscanGpu(opened);
        },
      }),
    },
  }),
];
