import {spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {blobs, dbscanOracle} from '@epsball/conformance';
import {writePoints} from '@epsball/datasets';
import {afterAll, describe, expect, it} from 'vitest';
import {createRun, runLocally, writeRunLabels} from '../src/index.ts';
import {collect, temporaryFolder} from './outOfCore.ts';

const folder = temporaryFolder();
const disk = join(folder, 'disk');
mkdirSync(disk);

function mount(...flags: string[]): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', ...flags, 'tmpfs', disk]).status === 0;
}

/** Mounting takes the rights of an administrator. Without them, the test is reported as skipped. */
const isMounted = mount('-o', 'size=256k');
afterAll(() => void (isMounted && spawnSync('umount', [disk])));

describe.skipIf(!isMounted)('a run on a disk that is full', () => {
  it('fails by name, leaves nothing half-written, and goes on when there is room', async () => {
    const points = blobs('float64', 2, 20_000, {seed: 4, clusters: 9, sigma: 0.03});
    const params = {eps: 0.004, minPts: 5};
    const input = join(folder, 'points.npy');
    await writePoints(input, points);
    const forced = {chunkRows: 5000, rangeRows: 5000, capacity: 6000};
    const options = {...params, input, work: disk, name: 'one', concurrency: 1, forced};
    await expect(runLocally(await createRun(options))).rejects.toThrow(/cannot be written \(the disk is full\)/);
    expect(readdirSync(disk, {recursive: true}).filter((name) => String(name).endsWith('.partial'))).toEqual([]);

    expect(mount('-o', 'remount,size=64m')).toBe(true);
    const files = await createRun(options);
    await runLocally(files);
    expect(await collect(files)).toEqual(dbscanOracle(points, params));

    spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=4096']);
    const used = readdirSync(disk);
    await expect(writeRunLabels(files, join(disk, 'labels.npy'))).rejects.toThrow(/full|ENOSPC/);
    expect(readdirSync(disk)).toEqual(used);
  });
});
