import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {resultFileSchema, type ResultFile} from '../src/result.ts';

const KEY = {
  dataset: 'milanesi:n=1000,seed=1',
  n: 1000,
  dim: 2,
  eps: 0.03,
  minPts: 8,
  row: 'sequential',
  backend: 'sequential',
  threads: 1,
};
const BASELINES = new URL('../baselines/', import.meta.url);

const RESULT: ResultFile = {
  format: 'epsball-benchmark',
  version: 1,
  suite: 'milanesi',
  profile: 'quick',
  startedAt: '2026-11-20T15:04:23.000Z',
  elapsedMs: 1234.5,
  commit: {hash: 'unknown', dirty: false},
  machine: {node: 'v24.0.0', os: 'Linux 6', arch: 'x64', cpu: 'a processor', threads: 2, memoryBytes: 1e9},
  adapter: null,
  adapterError: 'no adapter',
  cells: [
    {
      ...KEY,
      status: 'measured',
      precision: 'float32',
      datasetHash: '00112233',
      labelsHash: '44556677',
      verifiedAgainst: ['definition'],
      clusterCount: 3,
      noiseCount: 10,
      coreCount: 900,
      wall: {allMs: [1, 2, 3], medianMs: 2, minMs: 1, spread: 1},
      device: null,
      phaseMs: {index: 1, clusters: 1},
      devicePhaseMs: null,
      counters: {regionQueries: 1000},
      memory: {hostBytes: 1000, hostBytesPerPoint: 1, deviceBytes: null, deviceBytesPerPoint: null},
      picture: null,
    },
    {...KEY, status: 'failed', error: 'labels differ'},
    {...KEY, status: 'leftOut', reason: 'too slow'},
  ],
};

describe('resultFileSchema', () => {
  it('gives back a result file as it is', () => {
    expect(resultFileSchema.parse(JSON.parse(JSON.stringify(RESULT)))).toEqual(RESULT);
  });

  it('reads a cell without a thread count as one of one thread', () => {
    const {threads, ...key} = KEY;
    const old = {...RESULT, cells: [{...key, status: 'leftOut', reason: 'too slow'}]};
    expect(resultFileSchema.parse(old).cells[0].threads).toBe(threads);
  });

  it('refuses a time without a verification', () => {
    const [measured] = RESULT.cells;
    const result = {...RESULT, cells: [{...measured, verifiedAgainst: []}]};
    expect(resultFileSchema.safeParse(result).success).toBe(false);
  });

  it('refuses a cell with an unknown status', () => {
    expect(resultFileSchema.safeParse({...RESULT, cells: [{...KEY, status: 'guessed'}]}).success).toBe(false);
  });

  it('refuses another format or version', () => {
    expect(resultFileSchema.safeParse({...RESULT, format: 'something'}).success).toBe(false);
    expect(resultFileSchema.safeParse({...RESULT, version: 2}).success).toBe(false);
  });

  it('takes every baseline that is kept', () => {
    const files = readdirSync(BASELINES).filter((name) => name.endsWith('.json'));
    for (const name of files) {
      const result = resultFileSchema.parse(JSON.parse(readFileSync(new URL(name, BASELINES), 'utf8')));
      expect(name.startsWith(`${result.suite}-`)).toBe(true);
    }
  });
});
