import {mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import * as tls from 'node:tls';
import {blobs, dbscanOracle} from '@epsball/conformance';
import {writePoints} from '@epsball/datasets';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {listRuns, submitRun} from '../src/bullmq/index.ts';
import {createRun} from '../src/index.ts';
import {collect, temporaryFolder} from './outOfCore.ts';
import {HAS_REDIS, makeCertificate, TestRedis, TestWorker, type Certificate} from './services.ts';

const LOCK_MS = 2000;
const folder = temporaryFolder();
const certificate = makeCertificate(folder);
const canTrust = 'setDefaultCACertificates' in tls;

// Skipped without redis-server or openssl, and on a Node that cannot trust a certificate at run time (before 22.19).
describe.skipIf(!HAS_REDIS || certificate === undefined || !canTrust)('a Redis that speaks TLS', () => {
  const {certificateFile} = certificate as Certificate;
  const trusted = tls.getCACertificates('default');
  let redis: TestRedis;
  let worker: TestWorker | undefined;

  beforeAll(async () => {
    tls.setDefaultCACertificates([...trusted, readFileSync(certificateFile, 'utf8')]);
    const data = mkdtempSync(join(tmpdir(), 'epsball-redis-'));
    redis = await TestRedis.start(data, {password: 'p@ss/w:rd', certificate});
  });
  afterAll(async () => {
    tls.setDefaultCACertificates(trusted);
    await worker?.stop();
    await redis.stop();
  });

  it('serves a run by rediss:// and a password', async () => {
    expect(redis.url).toMatch(/^rediss:/);
    const points = blobs('float64', 2, 2000, {seed: 4, clusters: 9, sigma: 0.03});
    const params = {eps: 0.02, minPts: 5};
    const input = join(folder, 'points.npy');
    await writePoints(input, points);
    worker = new TestWorker(redis.url, LOCK_MS, certificateFile);
    const forced = {chunkRows: 700, rangeRows: 800, capacity: 900};
    const files = await createRun({...params, input, work: folder, name: 'secret', concurrency: 1, forced});
    await submitRun(redis.url, files);
    expect(await collect(files)).toEqual(dbscanOracle(points, params));
    expect((await listRuns(redis.url)).map(({name, state}) => [name, state])).toEqual([['secret', 'completed']]);
    expect(redis.log()).not.toContain('p@ss/w:rd');
  });

  it('is refused with a wrong password, and without trust in its certificate', async () => {
    const wrong = redis.url.replace(/:[^:@]*@/, ':wrong@');
    await expect(listRuns(wrong)).rejects.toThrow(/WRONGPASS|password/i);
    tls.setDefaultCACertificates(trusted);
    await expect(listRuns(redis.url)).rejects.toThrow(/certificate/i);
  });
});
