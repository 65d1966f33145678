import type {Cell, CellQuery, MeasuredCell, ResultFile, Timing} from '../src/index.ts';

/** Three processes that agree within a thousandth: their intervals are narrow. */
export function threeProcesses(ms: number): Timing {
  const processMs = [ms, ms * 1.0005, ms * 0.9995];
  return {allMs: processMs, medianMs: ms, minMs: ms * 0.9995, spread: 0.001, processMs};
}

/** One process, whose spread between processes is unknown. */
export function oneProcess(ms: number): Timing {
  return {allMs: [ms], medianMs: ms, minMs: ms, spread: 0};
}

/** A measured cell that answers a query. */
export function cellOf(query: CellQuery, wall: Timing, more: Partial<MeasuredCell> = {}): MeasuredCell {
  const {dataset = `made-up:n=${query.n ?? 1000}`, n = 1000, dim = 2, params = {}, row, backend, threads = 1} = query;
  return {
    status: 'measured',
    dataset,
    n,
    dim,
    params: {...params},
    row,
    backend,
    threads,
    options: {...query.options},
    wall,
    device: null,
    phaseMs: {},
    devicePhaseMs: null,
    counters: {},
    verified: ['sequential'],
    points: 'p1',
    labels: 'l1',
    clusters: 3,
    noise: 10,
    hostBytes: null,
    deviceBytes: null,
    picture: null,
    ...more,
  };
}

/** A result of a suite on a machine with a GPU. */
export function resultOf(suite: string, cells: readonly Cell[], changes: Partial<ResultFile> = {}): ResultFile {
  return {
    format: 'epsball-benchmark',
    version: 2,
    suite,
    profile: 'full',
    startedAt: '2026-11-20T15:04:23.000Z',
    elapsedMs: 60_000,
    load: {before: 0.1, after: 1.2},
    commit: {hash: '0123456789abcdef0123456789abcdef01234567', dirty: false},
    machine: {node: 'v24.21.0', os: 'Linux 6', arch: 'x64', cpu: 'Test Processor', threads: 16, memoryBytes: 2 ** 35},
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
