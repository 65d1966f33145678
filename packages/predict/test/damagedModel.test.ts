import {InvalidParameterError, InvalidPointsError} from '@epsball/clustering';
import {seededRandom} from '@epsball/conformance';
import {describe, expect, it} from 'vitest';
import {createModel, DbscanModel, HdbscanModel, loadModel, saveModel} from '../src/index.ts';

async function modelBytes(): Promise<Uint8Array> {
  const points = [
    [0, 0],
    [0.5, 0],
    [1, 0],
    [9, 9],
    [9, 9.5],
  ];
  const result = {labels: Int32Array.of(0, 0, 0, 1, 1), coreMask: new Uint8Array(5).fill(1)};
  return saveModel(createModel(points, {eps: 1, minPts: 2}, result));
}

/** Of a model of HDBSCAN*. */
async function treeBytes(): Promise<Uint8Array> {
  const squared = (...values: number[]): Float64Array => Float64Array.from(values);
  const tree = {
    parent: Int32Array.of(-1, 0, 0),
    birthSquared: squared(Infinity, 64, 64),
    deathSquared: squared(64, 0.25, 0.25),
    isSelected: Uint8Array.of(0, 1, 1),
    clusterOf: Int32Array.of(1, 1, 2, 2),
    leavesSquared: new Float64Array(4).fill(0.25),
  };
  const hierarchy = {coreSquared: new Float64Array(4).fill(0.25)};
  const labels = Int32Array.of(0, 0, 1, 1);
  const points = [[0], [0.5], [8.5], [9]];
  return saveModel(createModel(points, {minClusterSize: 2}, {labels, condensedTree: tree, hierarchy}));
}

/** What becomes of damaged bytes: a model that answers, or one clear error. */
async function check(bytes: Uint8Array, what: string): Promise<'model' | 'error'> {
  const loaded: unknown = await loadModel(bytes).catch((error: unknown) => error);
  if (loaded instanceof DbscanModel || loaded instanceof HdbscanModel) {
    const zero = Array.from({length: loaded.state.dim}, () => 0);
    const answer = loaded.predict([zero]);
    expect('labels' in answer ? answer.labels : answer, what).toHaveLength(1);
    return 'model';
  }
  const isClear = loaded instanceof InvalidParameterError || loaded instanceof InvalidPointsError;
  expect(isClear, `${what}: ${String(loaded)}`).toBe(true);
  expect((loaded as Error).message, what).toMatch(/^[^\n]+; expected [^\n]+$/);
  return 'error';
}

describe('a damaged model', () => {
  it('with byte 17 changed, on which apache-arrow 21.2 never returns, is refused or read', async () => {
    const bytes = await modelBytes();
    for (let value = 0; value < 256; value++) await check(bytes.with(17, value), `byte 17 = ${value}`);
  });

  it.for([
    ['DBSCAN', modelBytes],
    ['HDBSCAN*', treeBytes],
  ] as const)('of %s gives a model or one clear error for each byte changed', async ([, bytesOf]) => {
    const bytes = await bytesOf();
    const ends = {model: 0, error: 0};
    for (let at = 0; at < bytes.length; at++) {
      for (const value of [0, 1, 0x7f, 0xff, bytes[at] ^ 1, bytes[at] ^ 0x80]) {
        ends[await check(bytes.with(at, value), `byte ${at} = ${value}`)]++;
      }
    }
    expect(ends.error).toBeGreaterThan(100);
    expect(ends.model).toBeGreaterThan(100);
  });

  it('gives a model or one clear error where words are random, and where it is cut', async () => {
    const bytes = await modelBytes();
    const random = seededRandom(17);
    for (let run = 0; run < 2000; run++) {
      const mutant = bytes.slice();
      const at = Math.floor(random() * (bytes.length - 4));
      new DataView(mutant.buffer).setInt32(at, Math.floor((random() - 0.5) * 2 ** (8 * (1 + (run % 4)))), true);
      await check(mutant, `run ${run}, byte ${at}`);
    }
    for (let length = 0; length < bytes.length; length++) {
      expect(await check(bytes.subarray(0, length), `${length} bytes`)).toBe('error');
    }
  });
});

describe('a model', () => {
  it('is read from any place in a buffer', async () => {
    const bytes = await modelBytes();
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    const model = await loadModel(shifted.subarray(3));
    expect(model.state).toEqual((await loadModel(bytes)).state);
  });

  it('is read in several batches', async () => {
    const {RecordBatch, Table, tableFromIPC, tableToIPC} = await import('apache-arrow');
    const table = tableFromIPC(await modelBytes());
    const batches = [table.slice(0, 2), table.slice(2)].flatMap((part) => part.batches);
    const rewritten = tableToIPC(
      new Table(
        table.schema,
        batches.map((batch) => new RecordBatch(table.schema, batch.data)),
      ),
      'file',
    );
    expect((await loadModel(rewritten)).state).toEqual((await loadModel(await modelBytes())).state);
  });

  it('that claims other dimensions or parameters than it has is refused', async () => {
    const {Table, Schema, tableFromIPC, tableToIPC} = await import('apache-arrow');
    const table = tableFromIPC(await modelBytes());
    const withHeader = (header: unknown): Uint8Array => {
      const schema = new Schema(table.schema.fields, new Map([['epsball.model', JSON.stringify(header)]]));
      return tableToIPC(new Table(schema, table.batches), 'file');
    };
    const params = {eps: 1, minPts: 2};
    for (const [header, message] of [
      [{version: 1, dim: 3, params}, 'dim = 3; expected 2'],
      [{version: 1, dim: 2.5, params}, 'dim = 2.5; expected'],
      [{version: 1, dim: 2, params: null}, 'expected an Arrow file with the metadata epsball.model'],
      [{version: 1, dim: 2, params: {...params, metric: 'haversine'}}, 'angles'],
      [
        {version: 1, dim: 2, params: {...params, metric: 'haversine', angles: 'degrees', epsUnit: 'km'}},
        'x0, x1, cluster',
      ],
      [{version: 1, dim: 2, columns: 'xy', params}, 'columns'],
      [{version: 1, dim: 2, params: {eps: -1, minPts: 2}}, 'eps'],
      [{version: 2, dim: 2, params}, 'model version = 2'],
      [{version: 1, algorithm: 'optics', dim: 2, params}, 'expected an Arrow file with the metadata epsball.model'],
      [{version: 1, algorithm: 'hdbscan', dim: 1, params: {rank: 2}}, 'dim = -2; expected 1 to 1536'],
    ] as const) {
      await expect(loadModel(withHeader(header)), JSON.stringify(header)).rejects.toThrow(message);
    }
  });
});
