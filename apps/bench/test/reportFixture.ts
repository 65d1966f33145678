import type {DbscanCell, DbscanResultFile, MeasuredDbscanCell} from '@epsball/benchmarks';
import type {DbscanSection} from '../src/report/dbscan/section.ts';
import type {Report} from '../src/report/model.ts';

type MeasuredOptions = Partial<MeasuredDbscanCell> & {
  readonly n: number;
  readonly row: string;
  readonly backend: string;
};

/** A PNG of one transparent pixel. */
export const PIXEL: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** A measured cell of the suite `milanesi` that took `ms`. */
export function measuredCell(ms: number, options: MeasuredOptions): MeasuredDbscanCell {
  return {
    status: 'measured',
    dataset: `milanesi:n=${options.n},seed=1`,
    dim: 2,
    eps: 0.03,
    minPts: 8,
    precision: 'float32',
    datasetHash: `d${options.n}`,
    labelsHash: `l${options.n}`,
    verifiedAgainst: ['sequential'],
    clusterCount: 10,
    noiseCount: options.n / 100,
    coreCount: options.n / 2,
    threads: 1,
    options: {},
    wall: {allMs: [ms], medianMs: ms, minMs: ms, spread: 0},
    device: null,
    phaseMs: {index: ms / 4, core: ms / 4, clusters: ms / 2},
    devicePhaseMs: null,
    counters: {},
    memory: {hostBytes: options.n * 20, hostBytesPerPoint: 20, deviceBytes: null, deviceBytesPerPoint: null},
    picture: null,
    ...options,
  };
}

/** The cells of a small `milanesi` run: a thousand and a million points; the GPU fails at a thousand. */
export function milanesiCells(gpuMs = 100): DbscanCell[] {
  return [
    measuredCell(2, {n: 1000, row: 'sequential', backend: 'sequential', verifiedAgainst: ['definition']}),
    measuredCell(4, {n: 1000, row: 'grid-bfs', backend: 'sequential', verifiedAgainst: ['sequential', 'definition']}),
    failedGpuCell('labels differ from the <sequential> variant’s'),
    measuredCell(3000, {n: 1_000_000, row: 'sequential', backend: 'sequential', verifiedAgainst: ['reference']}),
    measuredCell(6000, {n: 1_000_000, row: 'grid-bfs', backend: 'sequential'}),
    measuredCell(gpuMs, {n: 1_000_000, row: 'grid-bfs', backend: 'gpu', device: timing(gpuMs / 2)}),
  ];
}

function failedGpuCell(error: string): DbscanCell {
  const {dataset, n, dim, eps, minPts} = measuredCell(1, {n: 1000, row: 'grid-bfs', backend: 'gpu'});
  return {
    status: 'failed',
    dataset,
    n,
    dim,
    eps,
    minPts,
    row: 'grid-bfs',
    backend: 'gpu',
    threads: 1,
    options: {},
    error,
  };
}

export function resultFile(cells: readonly DbscanCell[], changes: Partial<DbscanResultFile> = {}): DbscanResultFile {
  return {
    format: 'epsball-benchmark',
    version: 1,
    kind: 'dbscan',
    suite: 'milanesi',
    profile: 'full',
    startedAt: '2026-11-20T15:04:23.000Z',
    elapsedMs: 60_000,
    commit: {hash: '0123456789abcdef0123456789abcdef01234567', dirty: false},
    machine: {node: 'v24.21.0', os: 'Linux 6', arch: 'x64', cpu: 'Test Processor', threads: 2, memoryBytes: 2 ** 35},
    adapter: {
      name: 'Test GPU 9000',
      kind: 'hardware',
      vendor: 'test',
      architecture: 'test',
      description: 'driver 1.2.3',
      subgroupMinSize: 32,
      subgroupMaxSize: 32,
    },
    adapterError: null,
    cells,
    ...changes,
  };
}

function timing(ms: number): MeasuredDbscanCell['wall'] {
  return {allMs: [ms], medianMs: ms, minMs: ms, spread: 0};
}

/** The first section of a report, which must be of DBSCAN cells. */
export function dbscanSectionOf({sections: [section]}: Report): DbscanSection {
  if (section.kind !== 'dbscan') throw new Error(`kind = "${section.kind}"; expected dbscan`);
  return section;
}
