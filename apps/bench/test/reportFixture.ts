import type {Cell, MeasuredCell, ResultFile} from '@epsball/benchmarks';

/** A PNG of one transparent pixel. */
export const PIXEL: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

function timing(ms: number): NonNullable<MeasuredCell['wall']> {
  return {allMs: [ms], medianMs: ms, minMs: ms, spread: 0};
}

/** A measured cell of the suite `milanesi` that took `ms`. */
export function measuredCell(
  ms: number,
  options: Partial<MeasuredCell> & Pick<MeasuredCell, 'n' | 'row' | 'backend'>,
): MeasuredCell {
  return {
    status: 'measured',
    dataset: `milanesi:n=${options.n},seed=1`,
    dim: 2,
    params: {eps: 0.03, minPts: 8},
    threads: 1,
    options: {},
    wall: timing(ms),
    device: null,
    phaseMs: {index: ms / 4, core: ms / 4, clusters: ms / 2},
    devicePhaseMs: null,
    counters: {},
    verified: ['sequential'],
    points: `d${options.n}`,
    labels: `l${options.n}`,
    clusters: 10,
    noise: options.n / 100,
    hostBytes: options.n * 20,
    deviceBytes: null,
    picture: null,
    ...options,
  };
}

/** The same cell without a time. */
export function withoutTime(cell: MeasuredCell, status: 'failed' | 'leftOut', reason: string): Cell {
  const {dataset, n, dim, params, row, backend, threads, options} = cell;
  return {dataset, n, dim, params, row, backend, threads, options, status, reason};
}

/** The cells of a small `milanesi` run: a thousand and a million points; the GPU fails at a thousand. */
export function milanesiCells(gpuMs = 100): Cell[] {
  return [
    measuredCell(2, {n: 1000, row: 'sequential', backend: 'sequential', verified: ['definition']}),
    measuredCell(4, {n: 1000, row: 'grid-bfs', backend: 'sequential', verified: ['sequential', 'definition']}),
    withoutTime(
      measuredCell(1, {n: 1000, row: 'grid-bfs', backend: 'gpu'}),
      'failed',
      'labels differ from the <sequential> variant’s',
    ),
    measuredCell(3000, {n: 1_000_000, row: 'sequential', backend: 'sequential', verified: ['reference']}),
    measuredCell(6000, {n: 1_000_000, row: 'grid-bfs', backend: 'sequential'}),
    measuredCell(gpuMs, {n: 1_000_000, row: 'grid-bfs', backend: 'gpu', device: timing(gpuMs / 2)}),
  ];
}

export function resultFile(cells: readonly Cell[], changes: Partial<ResultFile> = {}): ResultFile {
  return {
    format: 'epsball-benchmark',
    version: 2,
    suite: 'milanesi',
    profile: 'full',
    startedAt: '2026-11-20T15:04:23.000Z',
    elapsedMs: 60_000,
    load: {before: 0.5, after: 1.5},
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
    cells: [...cells],
    ...changes,
  };
}
