import {InvalidParameterError, type DbscanAlgorithm} from '@epsball/clustering';
import type {Gpu} from '@epsball/gpu';

/** Where a variant runs: on the calling thread, on worker threads, or on a GPU. */
export const BACKENDS = ['sequential', 'workers', 'gpu'] as const;
export type Backend = (typeof BACKENDS)[number];

export interface VariantCreateOptions {
  /** One of the row's backends. */
  readonly backend: Backend;
  /** Borrowed; required for the backend `gpu`, ignored by the others. */
  readonly gpu?: Gpu | undefined;
  /** Worker threads, integer ≥ 1; only variants with workers look at it. Default: one per processor. */
  readonly threads?: number | undefined;
}

/** One DBSCAN variant. Conformance, benchmarks, the command `epsball` and the README table all read these rows. */
export interface CatalogueRow {
  readonly id: string;
  /** The npm package that holds the variant. */
  readonly package: string;
  readonly title: string;
  /** One sentence: how it works and when to use it. */
  readonly summary: string;
  /** The document it follows. */
  readonly source: string;
  /** Most dimensions it takes; `Infinity` where any number will do. */
  readonly maxDim: number;
  readonly backends: readonly Backend[];
  /**
   * Loads the variant's package and readies it for many runs.
   *
   * @returns  owned by the caller, who destroys it before the `gpu` it borrowed
   * @throws InvalidParameterError  if the row lacks the backend, or `gpu` is missing where it is required
   */
  create(options: VariantCreateOptions): Promise<DbscanAlgorithm>;
}

type Loader = (options: VariantCreateOptions) => Promise<DbscanAlgorithm>;

// Loaders import on demand, so that the front door stays light and a bundle gets only what it runs.
// Row order is preference: `algorithm: 'auto'` takes the first row with the backend and the dimensions.
export const catalogue: readonly CatalogueRow[] = [
  defineRow({
    id: 'sequential',
    package: '@epsball/dbscan-sequential',
    title: 'Sequential DBSCAN',
    summary: 'One thread, a seed list and a grid index: the baseline, and the best choice for small data.',
    source: 'Ester, Kriegel, Sander, Xu 1996, A density-based algorithm for discovering clusters',
    maxDim: Infinity,
    loaders: {
      sequential: async () => {
        const {createSequentialDbscan} = await import('@epsball/dbscan-sequential');
        return createSequentialDbscan();
      },
    },
  }),
  defineRow({
    id: 'grid-bfs',
    package: '@epsball/dbscan-grid-bfs',
    title: 'GPU-DBSCAN (grid and BFS)',
    summary:
      'A uniform grid and one breadth-first search per cluster; the backend sequential is its serial counterpart.',
    source: 'Milanesi, GPU-DBSCAN',
    maxDim: 4,
    loaders: {
      sequential: async () => {
        const {createGridBfsSequential} = await import('@epsball/dbscan-grid-bfs');
        return createGridBfsSequential();
      },
      gpu: async ({gpu}) => {
        if (gpu === undefined) throw new InvalidParameterError('gpu', gpu, 'an open Gpu for the backend gpu');
        const {createGridBfsGpu} = await import('@epsball/dbscan-grid-bfs/gpu');
        return createGridBfsGpu(gpu);
      },
    },
  }),
];

/** A row from its loaders: `backends` are the loaders' names, and any other backend is refused. */
function defineRow(
  row: Omit<CatalogueRow, 'backends' | 'create'> & {readonly loaders: Partial<Record<Backend, Loader>>},
): CatalogueRow {
  const {loaders, ...described} = row;
  const backends = BACKENDS.filter((backend) => loaders[backend] !== undefined);
  return {
    ...described,
    backends,
    create: async (options) => {
      const load = loaders[options.backend];
      if (load === undefined) {
        throw new InvalidParameterError('backend', options.backend, `${backends.join(' or ')} for ${row.id}`);
      }
      return load(options);
    },
  };
}
