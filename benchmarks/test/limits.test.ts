import {describe, expect, it} from 'vitest';
import {brokenPromises} from '../src/dbscan/limits.ts';
import type {DbscanCell, MeasuredDbscanCell} from '../src/dbscan/result.ts';
import type {Adapter} from '../src/machine.ts';
import type {DbscanResultFile} from '../src/result.ts';
import {memory} from '../src/suites/memory.ts';
import {milanesi} from '../src/suites/milanesi.ts';

const KEY = {dataset: 'gaussians:n=1000000,dim=2,seed=1', n: 1e6, dim: 2, eps: 0.002, minPts: 5};
const SEQUENTIAL = {...KEY, row: 'sequential', backend: 'sequential', threads: 1, options: {}};
const GPU = {...KEY, row: 'grid-bfs', backend: 'gpu', threads: 1, options: {}};

const HARDWARE: Adapter = {
  name: 'Test GPU 9000',
  kind: 'hardware',
  vendor: 'test',
  architecture: 'test',
  description: 'driver 1.2.3',
  subgroupMinSize: 32,
  subgroupMaxSize: 32,
};

describe('brokenPromises', () => {
  it('is silent about a run within the limits', () => {
    expect(brokenPromises(memory, resultOf([cellOf(SEQUENTIAL, 60, null), cellOf(GPU, 60, 80)]))).toEqual([]);
  });

  it('names a cell over the host limit, and one over the device limit', () => {
    const [host, device, ...others] = brokenPromises(
      memory,
      resultOf([cellOf(SEQUENTIAL, 60.2, null), cellOf(GPU, 10, 81)]),
    );
    expect(host).toMatch(/sequential\/sequential .*: 60\.2 host bytes a point; allowed 60$/);
    expect(device).toMatch(/grid-bfs\/gpu .*: 81\.0 device bytes a point; allowed 80$/);
    expect(others).toEqual([]);
  });

  it('names a failed cell with its threads and what it said', () => {
    const failed = {
      ...KEY,
      row: 'sets',
      backend: 'workers',
      threads: 4,
      options: {},
      status: 'failed',
      error: 'labels differ',
    } as const;
    expect(brokenPromises(milanesi, resultOf([failed]))).toEqual([
      'milanesi: sets/workers ×4 on gaussians:n=1000000,dim=2,seed=1, eps = 0.002: labels differ',
    ]);
  });

  it('does not count host memory of a software GPU, which holds the device’s', () => {
    const cells = [cellOf(GPU, 500, 70)];
    expect(brokenPromises(memory, resultOf(cells))).toHaveLength(1);
    expect(brokenPromises(memory, resultOf(cells, {...HARDWARE, kind: 'bundled'}))).toEqual([]);
  });

  it('does not count host memory of small runs', () => {
    expect(brokenPromises(memory, resultOf([cellOf({...SEQUENTIAL, n: 1000}, 900, null)]))).toEqual([]);
  });

  it('asserts the limits for the rows that the suite names, and none in a suite without any', () => {
    expect(brokenPromises(memory, resultOf([cellOf({...SEQUENTIAL, row: 'graph'}, 900, 900)]))).toEqual([]);
    expect(brokenPromises(milanesi, resultOf([cellOf(SEQUENTIAL, 900, 900)]))).toEqual([]);
  });
});

function cellOf(
  key: typeof SEQUENTIAL,
  hostBytesPerPoint: number,
  deviceBytesPerPoint: number | null,
): MeasuredDbscanCell {
  return {
    ...key,
    status: 'measured',
    precision: 'float32',
    datasetHash: '00112233',
    labelsHash: '44556677',
    verifiedAgainst: ['sequential'],
    clusterCount: 3,
    noiseCount: 10,
    coreCount: 900,
    wall: {allMs: [1], medianMs: 1, minMs: 1, spread: 0},
    device: null,
    phaseMs: {},
    devicePhaseMs: null,
    counters: {},
    memory: {hostBytes: null, deviceBytes: null, hostBytesPerPoint, deviceBytesPerPoint},
    picture: null,
  };
}

function resultOf(cells: readonly DbscanCell[], adapter: Adapter = HARDWARE): DbscanResultFile {
  return {
    format: 'epsball-benchmark',
    version: 1,
    kind: 'dbscan',
    suite: 'memory',
    profile: 'full',
    startedAt: '2026-11-20T15:04:23.000Z',
    elapsedMs: 1000,
    commit: {hash: 'unknown', dirty: false},
    machine: {node: 'v24.0.0', os: 'Linux 6', arch: 'x64', cpu: 'a processor', threads: 2, memoryBytes: 1e9},
    adapter,
    adapterError: null,
    cells,
  };
}
