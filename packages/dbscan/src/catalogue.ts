import {
  InvalidParameterError,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanRunOptions,
} from '@epsball/clustering';
import type {DeviceInput, DeviceResult} from '@epsball/dbscan-grid-bfs/gpu';
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

/** A variant on a GPU that clusters points which are there already, and leaves the labels there. */
export interface DeviceAlgorithm extends Disposable {
  /** As `DeviceDbscan.run`. */
  runOnDevice(input: DeviceInput, params: DbscanParams, options?: DbscanRunOptions): Promise<DeviceResult>;
  /** Frees what the algorithm owns, not the device; safe to call twice. */
  destroy(): void;
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
  /** In the order of `BACKENDS`, at least one. */
  readonly backends: readonly Backend[];
  /** Most dimensions it takes on each of its backends; `Infinity` where any number will do. */
  readonly maxDims: Readonly<Partial<Record<Backend, number>>>;
  /** The largest of `maxDims`. */
  readonly maxDim: number;
  /**
   * For `algorithm: 'auto'`: of the rows that have the backend and take the dimensions, the highest number on that
   * backend runs. Numbers of different backends are not compared: `choose.ts` settles the backend first.
   */
  readonly preferences: Readonly<Partial<Record<Backend, number>>>;
  /**
   * Loads the variant's package and readies it for many runs.
   *
   * @returns  owned by the caller, who destroys it before the `gpu` it borrowed
   * @throws InvalidParameterError  if the row lacks the backend, or `gpu` is missing where it is required
   * @throws GpuLimitError          if the device allows less than the variant's kernels need
   */
  create(options: VariantCreateOptions): Promise<DbscanAlgorithm>;
  /**
   * The same for points on the device; absent where the variant cannot.
   *
   * @param gpu  borrowed
   * @returns    owned by the caller, who destroys it before the `gpu`
   * @throws GpuLimitError  if the device allows less than the variant's kernels need
   */
  readonly createOnDevice?: (gpu: Gpu) => Promise<DeviceAlgorithm>;
}

/** What a row says of one backend: dimensions, preference (both as in `CatalogueRow`), and how it is loaded. */
interface BackendEntry {
  readonly maxDim: number;
  readonly preference: number;
  readonly create: (options: VariantCreateOptions) => Promise<DbscanAlgorithm>;
}

// Loaders import on demand, so that the front door stays light and a bundle gets only what it runs.
// Preferences stand ten apart, so that a new row fits between; no two of one backend are equal.
export const catalogue: readonly CatalogueRow[] = [
  defineRow({
    id: 'sequential',
    package: '@epsball/dbscan-sequential',
    title: 'Sequential DBSCAN',
    summary: 'One thread, a seed list and a grid index: the baseline, and the best choice for small data.',
    source: 'Ester, Kriegel, Sander, Xu 1996, A density-based algorithm for discovering clusters',
    on: {
      sequential: {
        maxDim: Infinity,
        // One region query a point, where the serial counterpart of grid-bfs needs two.
        preference: 20,
        create: async () => {
          const {createSequentialDbscan} = await import('@epsball/dbscan-sequential');
          return createSequentialDbscan();
        },
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
    on: {
      sequential: {
        maxDim: 4,
        preference: 10,
        create: async () => {
          const {createGridBfsSequential} = await import('@epsball/dbscan-grid-bfs');
          return createGridBfsSequential();
        },
      },
      gpu: {
        maxDim: 4,
        preference: 10,
        create: async ({gpu}) => {
          if (gpu === undefined) throw new InvalidParameterError('gpu', gpu, 'an open Gpu for the backend gpu');
          const {createGridBfsGpu} = await import('@epsball/dbscan-grid-bfs/gpu');
          return createGridBfsGpu(gpu);
        },
      },
    },
    createOnDevice: async (gpu) => {
      const {createGridBfsGpu} = await import('@epsball/dbscan-grid-bfs/gpu');
      return createGridBfsGpu(gpu);
    },
  }),
  defineRow({
    id: 'pds',
    package: '@epsball/dbscan-pds',
    title: 'PDSDBSCAN (disjoint sets)',
    summary: 'Disjoint sets over core points: every thread unites its own points, then the pairs between threads.',
    source: 'Patwary, Palsetia, Agrawal, Liao, Manne, Choudhary 2012, PDSDBSCAN',
    on: {
      sequential: {
        maxDim: Infinity,
        preference: 15,
        create: async () => {
          const {createPdsSequential} = await import('@epsball/dbscan-pds');
          return createPdsSequential();
        },
      },
      workers: {
        maxDim: Infinity,
        preference: 10,
        create: async ({threads}) => {
          const {createPdsWorkers} = await import('@epsball/dbscan-pds/workers');
          return createPdsWorkers({threads});
        },
      },
    },
  }),
];

/** A row from what it says of its backends; any other backend is refused. */
function defineRow(
  row: Omit<CatalogueRow, 'backends' | 'maxDims' | 'maxDim' | 'preferences' | 'create'> & {
    readonly on: Partial<Record<Backend, BackendEntry>>;
  },
): CatalogueRow {
  const {on, ...described} = row;
  const backends: Backend[] = [];
  const maxDims: Partial<Record<Backend, number>> = {};
  const preferences: Partial<Record<Backend, number>> = {};
  for (const backend of BACKENDS) {
    const entry = on[backend];
    if (entry === undefined) continue;
    backends.push(backend);
    maxDims[backend] = entry.maxDim;
    preferences[backend] = entry.preference;
  }
  return {
    ...described,
    backends,
    maxDims,
    maxDim: Math.max(...Object.values(maxDims)),
    preferences,
    create: async (options) => {
      const entry = on[options.backend];
      if (entry === undefined) {
        throw new InvalidParameterError('backend', options.backend, `${backends.join(' or ')} for ${row.id}`);
      }
      return entry.create(options);
    },
  };
}
