import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {asksForGpu, resultFileSchema, type DbscanResultFile, type PrimitiveResultFile} from '../src/result.ts';
import {suites} from '../src/suites.ts';

const KEY = {
  dataset: 'milanesi:n=1000,seed=1',
  n: 1000,
  dim: 2,
  eps: 0.03,
  minPts: 8,
  row: 'sequential',
  backend: 'sequential',
  threads: 1,
  options: {},
};
const BASELINES = new URL('../baselines/', import.meta.url);

const RESULT: DbscanResultFile = {
  format: 'epsball-benchmark',
  version: 1,
  kind: 'dbscan',
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

const SCAN = {operation: 'scan-exclusive-u32', element: 'u32', count: 65_536} as const;
const TIMING = {allMs: [1, 2, 3], medianMs: 2, minMs: 1, spread: 0.5};
const MEASURED = {status: 'measured', bytes: 524_288, verified: 'every word', batch: 8, wall: null} as const;

const PRIMITIVES: PrimitiveResultFile = {
  ...RESULT,
  kind: 'primitives',
  suite: 'primitives',
  cells: [
    {...SCAN, ...MEASURED, implementation: 'gpu', device: TIMING},
    {...SCAN, ...MEASURED, implementation: 'copy', device: TIMING},
    {...SCAN, ...MEASURED, implementation: 'javascript', device: null, batch: 1, wall: TIMING},
    {...SCAN, implementation: 'gpu', count: 2 ** 28, status: 'leftOut', reason: 'over the binding limit'},
    {...SCAN, implementation: 'javascript', status: 'failed', error: 'word 3 = 4; expected 5'},
  ],
};

describe('resultFileSchema', () => {
  it('gives back a result file as it is', () => {
    expect(resultFileSchema.parse(JSON.parse(JSON.stringify(RESULT)))).toEqual(RESULT);
  });

  it('gives back a result file of primitives as it is', () => {
    expect(resultFileSchema.parse(JSON.parse(JSON.stringify(PRIMITIVES)))).toEqual(PRIMITIVES);
  });

  it('reads a file without a kind as one of DBSCAN cells', () => {
    const {kind, ...old} = RESULT;
    expect(resultFileSchema.parse(old).kind).toBe(kind);
    expect(resultFileSchema.safeParse({...old, cells: PRIMITIVES.cells}).success).toBe(false);
  });

  it('reads a cell without a thread count as one of one thread', () => {
    const {threads, ...key} = KEY;
    const old = {...RESULT, cells: [{...key, status: 'leftOut', reason: 'too slow'}]};
    expect(resultFileSchema.parse(old).cells[0]).toMatchObject({threads});
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
      expect(suites.find(({id}) => id === result.suite)?.kind).toBe(result.kind);
    }
  });
});

describe('asksForGpu', () => {
  it('says yes where a cell runs on the GPU, whatever the kind of the file', () => {
    expect(asksForGpu(RESULT)).toBe(false);
    expect(asksForGpu({...RESULT, cells: [{...KEY, backend: 'gpu', status: 'leftOut', reason: 'no adapter'}]})).toBe(
      true,
    );
    expect(asksForGpu(PRIMITIVES)).toBe(true);
    expect(asksForGpu({...PRIMITIVES, cells: PRIMITIVES.cells.slice(-1)})).toBe(false);
  });
});
