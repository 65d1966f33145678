import {setTimeout as sleep} from 'node:timers/promises';
import {blobs, dbscanOracle} from '@epsball/conformance';
import {SHARE, SHORT} from '@epsball/conformance/share';
import {writePoints} from '@epsball/datasets';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it, onTestFinished, vi} from 'vitest';
import {createRun, openStore, removeRun, runLocally} from '../src/index.ts';
import {S3Store} from '../src/store/s3Store.ts';
import {collect, temporaryFolder} from './outOfCore.ts';
import {S3Server} from './s3Server.ts';

const folder = temporaryFolder();
const params = {eps: 0.02, minPts: 5};
const points = blobs('float64', 2, 2000, {seed: 4, clusters: 9, sigma: 0.03});

/** A minute, or a second in a short share. */
const DOWN_MS = SHARE > SHORT ? 60_000 : 1000;

let server: S3Server;

async function restart(port: number): Promise<void> {
  server = await S3Server.start(folder, port);
}

describe('an S3 store', () => {
  beforeAll(async () => {
    server = await S3Server.start(folder);
  });
  afterAll(() => server.close());

  it('reads whole files and ranges, lists folders, and removes them', async () => {
    const store = await openStore('s3://bucket/some/prefix');
    await store.write('a/b', [Buffer.from('hello '), Buffer.from('world')]);
    expect(Buffer.from((await store.read('a/b')) ?? []).toString()).toBe('hello world');
    expect(Buffer.from(await store.readRange('a/b', 6, 8)).toString()).toBe('wo');
    expect(await store.read('a/c')).toBe(undefined);
    await expect(store.readRange('a/b', 6, 20)).rejects.toMatchObject({code: 'STORE_FAILED'});
    expect(await store.list('a')).toEqual(['b']);
    await store.remove('a');
    expect(await store.list('a')).toEqual([]);
    // As the file that cancels a run.
    await store.write('file', [Buffer.from('x')]);
    await store.remove('file');
    expect(await store.read('file')).toBe(undefined);
  });

  it('holds the input and the files of a run', async () => {
    const path = join(folder, 'points.parquet');
    await writePoints(path, points);
    await (await openStore('s3://bucket')).write('input/points-0.parquet', [readFileSync(path)]);
    const forced = {chunkRows: 700, rangeRows: 800, capacity: 900};
    const options = {...params, work: 's3://bucket/work', name: 'one', concurrency: 1, forced};
    const files = await createRun({...options, input: 's3://bucket/input/points-*.parquet'});
    await runLocally(files);
    expect(await collect(files)).toEqual(dbscanOracle(points, params));
    await removeRun(files);
    expect(await files.store.list('one')).toEqual([]);
  });

  it('fails for a while in the middle of a run, which goes on', async () => {
    const path = join(folder, 'points.npy');
    await writePoints(path, points);
    const forced = {chunkRows: 700, rangeRows: 800, capacity: 900};
    const options = {...params, work: 's3://bucket/work', name: 'interrupted', concurrency: 1, forced};
    const files = await createRun({...options, input: path});
    let tasks = 0;
    let restarted: Promise<void> | undefined;
    const {port} = server;
    const onTask = (): void => {
      if (++tasks === 5)
        restarted = server
          .close()
          .then(() => sleep(DOWN_MS))
          .then(() => restart(port));
    };
    const startedAt = performance.now();
    await runLocally(files, {onTask});
    expect(restarted).toBeDefined();
    expect(performance.now() - startedAt).toBeGreaterThan(DOWN_MS);
    expect(await collect(files)).toEqual(dbscanOracle(points, params));
  });

  it('is waited for while it is down', async () => {
    const store = await openStore('s3://bucket/down');
    const {port} = server;
    await server.close();
    const written = store.write('a', [Buffer.from('late')]);
    await sleep(1500);
    await restart(port);
    await written;
    expect(await store.read('a')).toHaveLength(4);
  });
});

describe('an S3 service that falls silent', () => {
  /** Answers with `text`, but stays silent at the first requests: at once, or within the content. */
  async function storeOf(text: string, silentAt: 'once' | 'content', times: number): Promise<S3Store> {
    let requests = 0;
    const service = createServer(({method}, response) => {
      if (method === 'HEAD') return response.writeHead(200, {'content-length': 2}).end();
      const isSilent = requests++ < times;
      if (isSilent && silentAt === 'once') return undefined;
      response.writeHead(200, {'content-length': text.length});
      return isSilent ? response.write(text.slice(0, 2)) : response.end(text);
    }).listen(0);
    onTestFinished(() => {
      service.close();
      service.closeAllConnections();
      vi.unstubAllEnvs();
    });
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION']) vi.stubEnv(name, 'test');
    vi.stubEnv('AWS_ENDPOINT_URL', `http://localhost:${(service.address() as AddressInfo).port}`);
    return new S3Store('s3://bucket/silent', 300);
  }

  it.for(['once', 'content'] as const)('is asked again: at %s', async (silentAt) => {
    const store = await storeOf('hello', silentAt, 2);
    expect(Buffer.from((await store.read('a')) ?? []).toString()).toBe('hello');
  });

  it('within the content, again and again, fails the read with its name', async () => {
    const store = await storeOf('hello', 'content', Infinity);
    await expect(store.read('a')).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('s3://bucket/silent/a cannot be read'),
    });
  });

  it('within an object that has become shorter, fails at once as where a part of it is missing', async () => {
    const store = await storeOf('hello', 'content', Infinity);
    await expect(store.readRange('a', 0, 5)).rejects.toMatchObject({
      isMissing: true,
      message: 's3://bucket/silent/a cannot be read (ends before byte 5)',
    });
  });
});
