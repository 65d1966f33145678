import files from 'node:fs/promises';
import {mkdirSync, rmSync} from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {join} from 'node:path';
import {blobs, dbscanOracle} from '@epsball/conformance';
import {writePoints} from '@epsball/datasets';
import {afterAll, beforeAll, describe, expect, it, onTestFinished} from 'vitest';
import {createRun, openRun, removeRun, runLocally, type RunOptions} from '../src/index.ts';
import {collect, temporaryFolder} from './outOfCore.ts';
import {S3Server} from './s3Server.ts';

const folder = temporaryFolder('memory');
const points = blobs('float64', 2, 600, {seed: 4, clusters: 9, sigma: 0.03});
const input = join(folder, 'points.npy');
const [small, large] = [0.02, 0.03].map((eps) => ({eps, minPts: 5}));
const forced = {chunkRows: 300, rangeRows: 300, capacity: 300};

let names = 0;
function optionsOf(work: string, more: Partial<RunOptions> = {}): RunOptions {
  return {...small, input, work, name: `run-${names++}`, concurrency: 1, forced, ...more};
}

beforeAll(() => writePoints(input, points));

describe.for(['a folder', 'S3'])('one run has one owner in %s', (kind) => {
  const work = kind === 'S3' ? 's3://bucket/work' : join(folder, 'new/work');
  let server: S3Server | undefined;
  beforeAll(async () => {
    if (kind === 'S3') server = await S3Server.start(folder);
  });
  afterAll(() => server?.close());

  it('of two callers at once with different eps, one is refused with both values', async () => {
    for (let pair = 0; pair < 20; pair++) {
      const options = optionsOf(work);
      const outcomes = await Promise.allSettled([createRun(options), createRun({...options, ...large})]);
      const winner = outcomes.findIndex(({status}) => status === 'fulfilled');
      expect(outcomes[1 - winner]).toMatchObject({
        status: 'rejected',
        reason: {code: 'INPUT_CHANGED', message: expect.stringMatching(/eps = 0.0[23], not 0.0[23];/)},
      });
      const run = await openRun(work, options.name ?? '');
      expect((await run.request()).params.eps).toBe([small, large][winner].eps);
      if (pair > 0) continue;
      await runLocally(run);
      expect(await collect(run)).toEqual(dbscanOracle(points, [small, large][winner]));
    }
  });

  it('callers at once with the same parameters share the run', async () => {
    const options = optionsOf(work);
    const runs = await Promise.all([1, 2, 3].map(() => createRun(options)));
    await Promise.all(runs.map((run) => runLocally(run)));
    for (const run of runs) expect(await collect(run)).toEqual(dbscanOracle(points, small));
  });

  it('another caller learns which parameters differ, and a new name or a removed run helps', async () => {
    const options = optionsOf(work);
    const other = join(folder, 'other.npy');
    await writePoints(other, {dim: 2, coords: points.coords.slice(0, 100)});
    const run = await createRun(options);
    const place = `${run.store.url}/${run.name}`;
    const advice = `; choose another name (--run), or remove ${place}`;
    const refused = (more: Partial<RunOptions>, differences: string): Promise<void> =>
      expect(createRun({...options, ...more})).rejects.toThrow(`run ${run.name} exists with ${differences}${advice}`);
    await refused({minPts: 6, precision: 'float32'}, 'minPts = 5, not 6; precision = "source", not "float32"');
    await refused({columns: ['0', '1']}, 'columns = (default), not ["0","1"]');
    await refused({order: 'tile', dim: 2}, 'dim = (default), not 2; order = "input", not "tile"');
    await refused({input: other}, `input = "${input}", not "${other}"`);
    await refused({input: join(folder, '*.npy')}, '1 input file, not 2');
    await writePoints(other, {dim: 2, coords: points.coords.slice(0, 102)});
    expect((await createRun({...optionsOf(work), minPts: 6})).name).not.toBe(run.name);
    await removeRun(run);
    expect((await (await createRun({...options, minPts: 6})).request()).params.minPts).toBe(6);
    rmSync(other);
  });

  it('an input that changed under a path is named', async () => {
    const changing = join(folder, 'changing.npy');
    await writePoints(changing, {dim: 2, coords: points.coords.slice(0, 100)});
    const options = optionsOf(work, {input: changing});
    await createRun(options);
    await writePoints(changing, {dim: 2, coords: points.coords.slice(0, 102)});
    await expect(createRun(options)).rejects.toThrow(`exists with another content of ${changing}; choose`);
    rmSync(changing);
  });
});

describe('a store', () => {
  it.for(['ignored', 'answered by 501'] as const)('on which If-None-Match is %s is refused', async (conditions) => {
    const server = await S3Server.start(join(folder), 0, conditions);
    onTestFinished(() => server.close());
    const options = optionsOf('s3://bucket/plain');
    const refused = createRun(options);
    await expect(refused).rejects.toMatchObject({code: 'INVALID_PARAMETER', parameter: 'work'});
    await expect(refused).rejects.toThrow(
      'work = "s3://bucket/plain"; expected a folder, or an S3 service that honours If-None-Match',
    );
    await expect(openRun('s3://bucket/plain', options.name ?? '')).rejects.toMatchObject({code: 'NO_RUN'});
  });

  it('without hard links still has one owner a run', async () => {
    const {link} = files;
    files.link = () => Promise.reject(Object.assign(new Error('no links'), {code: 'EPERM'}));
    syncBuiltinESMExports();
    onTestFinished(() => {
      files.link = link;
      syncBuiltinESMExports();
    });
    const options = optionsOf(join(folder, 'no-links'));
    const outcomes = await Promise.allSettled([createRun(options), createRun({...options, ...large})]);
    expect(outcomes.filter(({status}) => status === 'fulfilled')).toHaveLength(1);
  });

  it('in which a folder lies in place of a file is refused', async () => {
    const options = optionsOf(folder);
    mkdirSync(join(folder, `${options.name}/run.json`), {recursive: true});
    await expect(createRun(options)).rejects.toThrow(`${options.name}/run.json cannot be read`);
  });
});
