import {defineBackend, requiredGpu} from '@epsball/clustering/catalogue';
import type {DeviceDbscanAlgorithm, Gpu} from '@epsball/gpu';
import {defineRow, type CatalogueRow} from './catalogueRow.ts';
import {dclustRow} from './dclustRow.ts';
import {ANY_METRIC, DIRECTORY_OPTIONS, GRAPH_INDEX, PDS_INDEX} from './indexOptions.ts';

// `create` imports packages on demand: a bundle contains what it runs. Preferences of one backend differ.
export const catalogue: readonly CatalogueRow[] = [
  defineRow({
    id: 'sequential',
    package: '@epsball/dbscan-sequential',
    title: 'Sequential DBSCAN',
    summary: 'One thread, a seed list and an index. The baseline of speed-ups, and the default for sparse data.',
    source: 'Ester, Kriegel, Sander, Xu 1996, A density-based algorithm for discovering clusters',
    on: {
      sequential: defineBackend({
        maxDim: Infinity,
        maxIndexedDim: 64, // Beyond, the directory leaves most pairs to test.
        preference: 20, // One region query a point; the serial grid-bfs makes two.
        ...ANY_METRIC,
        maxIndexedDimInTime: 64,
        options: {
          index: {
            description:
              'index for region queries; auto is the grid up to 4 dimensions, then the directory; none tests all pairs',
            values: ['auto', 'grid', 'directory', 'none'],
            defaultValue: 'auto',
          },
          ...DIRECTORY_OPTIONS,
        },
        create: async ({options: {index, pca, ...shape}}) => {
          const {createSequentialDbscan} = await import('@epsball/dbscan-sequential');
          return createSequentialDbscan({index, directory: {...shape, pca: pca === 'on'}});
        },
      }),
    },
  }),
  defineRow({
    id: 'grid-bfs',
    package: '@epsball/dbscan-grid-bfs',
    title: 'GPU-DBSCAN (grid and BFS)',
    summary: 'A uniform grid and one breadth-first search a cluster. The backend sequential is the serial counterpart.',
    source: 'Milanesi, GPU-DBSCAN',
    on: {
      sequential: defineBackend({
        maxDim: 4,
        preference: 10,
        weights: 'any',
        create: async () => {
          const {createGridBfsSequential} = await import('@epsball/dbscan-grid-bfs');
          return createGridBfsSequential();
        },
      }),
      gpu: defineBackend({
        maxDim: 4,
        preference: 10,
        weights: 'int32',
        create: ({gpu}) => createGridBfsGpu(gpu),
      }),
    },
    createOnDevice: createGridBfsGpu,
  }),
  defineRow({
    id: 'dense-grid',
    package: '@epsball/dbscan-dense-grid',
    title: 'Dense grid (disjoint sets of cells)',
    summary: 'Cells whose points are all neighbours: whole cells are core, and disjoint sets hold cells, not points.',
    source: 'epsball; after Gunawan 2013, A faster algorithm for DBSCAN',
    on: {
      sequential: defineBackend({
        maxDim: 4,
        preference: 22,
        ...ANY_METRIC,
        create: async () => {
          const {createDenseGridSequential} = await import('@epsball/dbscan-dense-grid');
          return createDenseGridSequential();
        },
      }),
      workers: defineBackend({
        maxDim: 4,
        preference: 9,
        ...ANY_METRIC,
        create: async ({threads}) => {
          const {createDenseGridWorkers} = await import('@epsball/dbscan-dense-grid/workers');
          return createDenseGridWorkers({threads});
        },
      }),
      gpu: defineBackend({
        maxDim: 4,
        // A million 2-D points of `spots` take an H200 0.6 ms, gdbscan 2.0, grid-bfs 52.
        preference: 20,
        weights: 'int32',
        create: ({gpu}) => createDenseGridGpu(gpu),
      }),
    },
    createOnDevice: createDenseGridGpu,
  }),
  defineRow({
    id: 'pds',
    package: '@epsball/dbscan-pds',
    title: 'PDSDBSCAN (disjoint sets)',
    summary:
      'Disjoint sets over core points: each thread unites its own points, then pairs between threads are united.',
    source: 'Patwary, Palsetia, Agrawal, Liao, Manne, Choudhary 2012, PDSDBSCAN',
    on: {
      sequential: defineBackend({
        maxDim: Infinity,
        maxIndexedDim: 64,
        preference: 25, // `adaptToDensity` replaces it for sparse points.
        ...ANY_METRIC,
        options: {index: PDS_INDEX},
        create: async ({options: {index}}) => {
          const {createPdsSequential} = await import('@epsball/dbscan-pds');
          return createPdsSequential({index});
        },
      }),
      workers: defineBackend({
        maxDim: Infinity,
        maxIndexedDim: 64,
        preference: 10,
        ...ANY_METRIC,
        options: {
          index: PDS_INDEX,
          union: {
            description: 'how pairs between threads are united: by compare-and-swap, or with locks as in the paper',
            values: ['lock-free', 'lock'],
            defaultValue: 'lock-free',
          },
          partition: {
            description: 'part of a thread: runs of neighbouring cells, or a range of the input as in the paper',
            values: ['cells', 'index'],
            defaultValue: 'cells',
          },
          pointsPerChunk: {
            description: 'minimum points that a thread takes at a time',
            min: 1,
            max: 2 ** 31 - 1,
            defaultValue: 'auto',
          },
        },
        create: async ({threads, options}) => {
          const {createPdsWorkers} = await import('@epsball/dbscan-pds/workers');
          return createPdsWorkers({threads, ...options});
        },
      }),
    },
  }),
  defineRow({
    id: 'gdbscan',
    package: '@epsball/dbscan-gdbscan',
    title: 'G-DBSCAN (neighbour graph and BFS)',
    summary: 'Builds the neighbour graph of all points, then searches it breadth first, level by level.',
    source: 'Andrade, Ramos, Madeira, Sachetto, Ferreira, Rocha 2013, G-DBSCAN',
    on: {
      gpu: defineBackend({
        maxDim: 1536,
        maxIndexedDim: 4,
        // It visits every edge twice. grid-bfs stores no edges.
        preference: 8,
        options: {
          index: GRAPH_INDEX,
          searches: {
            description: 'many searches at a time, or one after another as in the paper',
            values: ['many', 'one'],
            defaultValue: 'many',
          },
          edgeBytes: {
            description: 'maximum bytes of edges on the device; a larger graph is built in chunks',
            min: 4,
            max: 2 ** 31 - 4,
            defaultValue: 'auto',
          },
        },
        create: async ({gpu, options}) => {
          const {createGdbscanGpu} = await import('@epsball/dbscan-gdbscan/gpu');
          return createGdbscanGpu(requiredGpu(gpu), options);
        },
      }),
    },
  }),
  defineRow({
    id: 'hybrid',
    package: '@epsball/dbscan-hybrid',
    title: 'Hybrid of G-DBSCAN and PDSDBSCAN',
    summary: 'Neighbours on the GPU and disjoint sets on worker threads, at the same time.',
    source: 'A course report on G-DBSCAN, PDSDBSCAN and a hybrid of both',
    on: {
      gpu: defineBackend({
        maxDim: 1536,
        maxIndexedDim: 4,
        // It transfers every edge to the host.
        preference: 5,
        hasThreads: true,
        options: {
          index: GRAPH_INDEX,
          edgeBytes: {
            description: 'bytes of edges that are built, transferred and united at a time',
            min: 4,
            max: 2 ** 31 - 4,
            defaultValue: 'auto',
          },
        },
        create: async ({gpu, threads, options}) => {
          const {createHybridDbscan} = await import('@epsball/dbscan-hybrid');
          return createHybridDbscan(requiredGpu(gpu), {threads, ...options});
        },
      }),
    },
  }),
  dclustRow,
];

async function createGridBfsGpu(gpu: Gpu | undefined): Promise<DeviceDbscanAlgorithm> {
  const gridBfs = await import('@epsball/dbscan-grid-bfs/gpu');
  return gridBfs.createGridBfsGpu(requiredGpu(gpu));
}

async function createDenseGridGpu(gpu: Gpu | undefined): Promise<DeviceDbscanAlgorithm> {
  const denseGrid = await import('@epsball/dbscan-dense-grid/gpu');
  return denseGrid.createDenseGridGpu(requiredGpu(gpu));
}
