import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {blobs, dbscanOracle} from '@epsball/conformance';
import {readPoints, writePoints, type LoadedPoints, type RowRange} from '@epsball/datasets';
import S3rver from 's3rver';
import {afterAll, beforeAll, beforeEach, describe, expect, it, vi} from 'vitest';
import {createRun, openStore, runLocally, type RunFiles} from '../src/index.ts';
import {readInput} from '../src/input/inputFiles.ts';
import {collect, temporaryFolder} from './outOfCore.ts';

const folder = temporaryFolder();
const params = {eps: 0.02, minPts: 5};
/** 160 kB, so that the ends of the file are not all of it. */
const points = blobs('float64', 2, 10_000, {seed: 4, clusters: 9, sigma: 0.03});
const expected = dbscanOracle(points, params);

let server: S3rver;
let names = 0;

async function put(bytes: Uint8Array): Promise<void> {
  await (await openStore('s3://bucket')).write('points.npy', [bytes]);
}

function createTestRun(): Promise<RunFiles> {
  const forced = {chunkRows: 4000, capacity: 6000};
  const options = {...params, work: join(folder, 'work'), name: `run-${names++}`, concurrency: 1, forced};
  return createRun({...options, input: 's3://bucket/points.npy'});
}

async function labelsOf(files: RunFiles): Promise<Int32Array> {
  await runLocally(files);
  return (await collect(files)).labels;
}

async function readRows(files: RunFiles, rows: readonly RowRange[]): Promise<LoadedPoints> {
  return readInput((await files.request()).inputs[0], (input) => readPoints(input, {rows}));
}

/** Bytes of other points whose file has the same size and the same ends. */
function changeMiddle(bytes: Uint8Array): Uint8Array {
  const coords = new Float64Array(points.coords.length);
  const own = readFileSync(npyOf('other', coords));
  const changed = Uint8Array.from(bytes);
  changed.set(own.subarray(2 ** 16, own.length - 2 ** 16), 2 ** 16);
  return changed;
}

function npyOf(name: string, coords: Float64Array): string {
  const header = readFileSync(join(folder, 'points.npy'));
  header.set(new Uint8Array(coords.buffer), header.length - coords.byteLength);
  writeFileSync(join(folder, `${name}.npy`), header);
  return join(folder, `${name}.npy`);
}

describe('an input on S3', () => {
  let bytes: Buffer;
  let temporary: string;

  beforeAll(async () => {
    mkdirSync(join(folder, 's3'));
    server = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: join(folder, 's3'),
      configureBuckets: [{name: 'bucket', configs: []}],
    });
    const {port} = await server.run();
    vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
    await writePoints(join(folder, 'points.npy'), points);
    bytes = readFileSync(join(folder, 'points.npy'));
  });
  beforeEach(async () => {
    temporary = join(folder, `tmp-${names++}`);
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    await put(bytes);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.close();
  });

  it('is read from the store, and leaves no copy', async () => {
    expect(await labelsOf(await createTestRun())).toEqual(expected.labels);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('is not a file that another user planted at the place of older versions', async () => {
    const files = await createTestRun();
    const [file] = (await files.request()).inputs;
    mkdirSync(join(temporary, 'epsball-inputs'));
    writeFileSync(join(temporary, 'epsball-inputs', `${file.hash}.npy`), changeMiddle(bytes));
    expect(await labelsOf(files)).toEqual(expected.labels);
  });

  it.for(['.npy', '.csv', '.parquet'])('may be %s', async (extension) => {
    const path = join(folder, `other${extension}`);
    await writePoints(path, points);
    await (await openStore('s3://bucket')).write(`other${extension}`, [readFileSync(path)]);
    const forced = {chunkRows: 4000, capacity: 6000};
    const options = {...params, work: join(folder, 'work'), name: `run-${names++}`, concurrency: 1, forced};
    expect(await labelsOf(await createRun({...options, input: `s3://bucket/other${extension}`}))).toEqual(
      expected.labels,
    );
  });

  it('is another one if only its middle differs, for the run that began and for the next', async () => {
    const first = await createTestRun();
    await readRows(first, [[0, 10_000]]);
    const changed = changeMiddle(bytes);
    await put(changed);
    await expect(runLocally(first)).rejects.toMatchObject({code: 'INPUT_CHANGED'});
    const second = await createTestRun();
    const [file] = (await second.request()).inputs;
    expect(file.hash).not.toBe((await first.request()).inputs[0].hash);
    expect(await labelsOf(second)).not.toEqual(expected.labels);
  });

  it('that changes before or while it is read is refused', async () => {
    const files = await createTestRun();
    const [file] = (await files.request()).inputs;
    const during = readInput(file, async (input) => {
      const {coords} = await readPoints(input, {rows: [[0, 100]]});
      await put(changeMiddle(bytes));
      return coords;
    });
    await expect(during).rejects.toMatchObject({code: 'INPUT_CHANGED'});
    await expect(readRows(files, [[0, 100]])).rejects.toMatchObject({code: 'INPUT_CHANGED'});
  });
});
