import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {blobs, dbscanOracle} from '@epsball/conformance';
import {writePoints} from '@epsball/datasets';
import S3rver from 's3rver';
import {afterAll, beforeAll, beforeEach, describe, expect, it, vi} from 'vitest';
import {createRun, openStore, runLocally, type RunFiles} from '../src/index.ts';
import {localPath} from '../src/input/inputFiles.ts';
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

  it('is copied to a private folder, once', async () => {
    const [file] = (await (await createTestRun()).request()).inputs;
    const path = await localPath(file);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(path.startsWith(join(temporary, `epsball-${process.getuid?.() ?? 'user'}/`))).toBe(true);
    expect(lstatSync(join(path, '..')).mode & 0o777).toBe(0o700);
    expect(lstatSync(path).mode & 0o077).toBe(0);
    const {ino} = lstatSync(path);
    expect(lstatSync(await localPath(file)).ino).toBe(ino);
    expect(readdirSync(join(path, '..'))).toHaveLength(1);
  });

  it('is not a file that another user planted at the place of older versions', async () => {
    const files = await createTestRun();
    const [file] = (await files.request()).inputs;
    mkdirSync(join(temporary, 'epsball-inputs'));
    writeFileSync(join(temporary, 'epsball-inputs', `${file.hash}.npy`), changeMiddle(bytes));
    expect(await labelsOf(files)).toEqual(expected.labels);
  });

  it.for(['a changed byte in its middle', 'a cut end', 'a link in its place'])(
    'is copied again after %s',
    async (damage) => {
      const [file] = (await (await createTestRun()).request()).inputs;
      const path = await localPath(file);
      if (damage.includes('byte')) writeFileSync(path, changeMiddle(bytes));
      else if (damage.includes('cut')) truncateSync(path, bytes.length - 1);
      else {
        writeFileSync(join(temporary, 'planted'), changeMiddle(bytes));
        rmSync(path);
        symlinkSync(join(temporary, 'planted'), path);
      }
      const again = await localPath(file);
      expect(readFileSync(again).equals(bytes)).toBe(true);
      expect(lstatSync(again).isFile()).toBe(true);
    },
  );

  it('is another one if only its middle differs, for the run that began and for the next', async () => {
    const first = await createTestRun();
    await localPath((await first.request()).inputs[0]);
    const changed = changeMiddle(bytes);
    await put(changed);
    await expect(runLocally(first)).rejects.toMatchObject({code: 'INPUT_CHANGED'});
    const second = await createTestRun();
    const [file] = (await second.request()).inputs;
    expect(readFileSync(await localPath(file)).equals(changed)).toBe(true);
    expect(await labelsOf(second)).not.toEqual(expected.labels);
  });

  it('that changes between the plan and the copy is refused', async () => {
    const [file] = (await (await createTestRun()).request()).inputs;
    await put(changeMiddle(bytes));
    await expect(localPath(file)).rejects.toMatchObject({code: 'INPUT_CHANGED'});
    expect(readdirSync(temporary, {recursive: true}).filter((name) => String(name).includes('.partial'))).toEqual([]);
  });
});
