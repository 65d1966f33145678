import {defineBackend, defineVariant, requiredGpu, type VariantRow} from '@epsball/clustering/catalogue';
import type {Gpu} from '@epsball/gpu';
import type {MeanShiftAlgorithm} from './algorithm.ts';
import type {MeanShiftGpu} from './gpu/deviceMeanShift.ts';

/** A variant of mean shift on one backend. `label` is missing if `run` takes no longer. */
export type MeanShiftVariant = MeanShiftAlgorithm & Partial<Pick<MeanShiftGpu, 'label'>>;

export type MeanShiftRow = VariantRow<MeanShiftVariant, Gpu>;

const SOURCE = 'Agnolucci 2020, Mean Shift clustering algorithm; Comaniciu and Meer 2002, Mean shift';

/** The variants of mean shift. Each backend imports its code on demand. */
export const meanShiftCatalogue: readonly MeanShiftRow[] = [
  defineVariant<MeanShiftVariant, Gpu>({
    id: 'points',
    package: '@epsball/mean-shift',
    title: 'Mean shift over points',
    summary: 'Sums over the points within reach of the kernel, which a grid finds; any kernel.',
    source: SOURCE,
    on: {
      sequential: defineBackend({
        maxDim: Infinity,
        preference: 10,
        create: async () => {
          const {createMeanShiftSequential} = await import('./sequential.ts');
          return createMeanShiftSequential();
        },
      }),
      workers: defineBackend({
        maxDim: Infinity,
        preference: 10,
        create: async ({threads}) => {
          const {createMeanShiftWorkers} = await import('./workers/workers.ts');
          return createMeanShiftWorkers({threads});
        },
      }),
      gpu: defineBackend({
        maxDim: 16,
        preference: 10,
        create: async ({gpu}) => {
          const opened = requiredGpu(gpu);
          const {createMeanShiftGpu} = await import('./gpu/meanShiftGpu.ts');
          return createMeanShiftGpu(opened);
        },
      }),
    },
  }),
  defineVariant<MeanShiftVariant, Gpu>({
    id: 'lattice',
    package: '@epsball/mean-shift',
    title: 'Mean shift over a lattice',
    summary: 'Sums of the whole Gaussian at the nodes of a lattice, interpolated between them; for many points.',
    source: SOURCE,
    on: {
      gpu: defineBackend({
        maxDim: 3,
        // Below `points`, whose positions are closer to float64's.
        preference: 5,
        options: {
          nodes: {description: 'nodes of the lattice in a bandwidth', min: 2, max: 32, defaultValue: 3},
        },
        create: async ({gpu, options: {nodes}}) => {
          const opened = requiredGpu<Gpu>(gpu);
          const {createMeanShiftGpu} = await import('./gpu/meanShiftGpu.ts');
          return createMeanShiftGpu(opened, {lattice: nodes});
        },
      }),
    },
  }),
];
