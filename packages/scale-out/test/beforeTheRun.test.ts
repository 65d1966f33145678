import {spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {dbscan} from '@epsball/dbscan';
import {describe, expect, it} from 'vitest';
import {createRun, openRun, runLocally, type RunOptions} from '../src/index.ts';
import {collect, temporaryFolder} from './outOfCore.ts';

const folder = temporaryFolder('memory');
const comma = join(folder, 'comma.tsv');
writeFileSync(comma, '0,5\t1,25\n0,5\t1,5\n40,5\t3,0\n');

let works = 0;
function optionsOf(more: Partial<RunOptions> = {}): RunOptions {
  const work = join(folder, `work-${works++}`);
  return {input: comma, work, name: 'r', eps: 1, minPts: 2, concurrency: 1, ...more};
}

describe('a CSV file with decimal commas', () => {
  it('is read with the option that the error names', async () => {
    const options = optionsOf();
    const run = await createRun(options);
    await expect(runLocally(run, {concurrency: 1})).rejects.toThrow('the option decimal = ","');
    const right = await createRun({...options, name: 'right', decimal: ',', delimiter: '\t'});
    await runLocally(right, {concurrency: 1});
    const points = {coords: Float64Array.of(0.5, 1.25, 0.5, 1.5, 40.5, 3), dim: 2};
    const {labels} = await dbscan(points, {eps: 1, minPts: 2});
    expect(await collect(right)).toMatchObject({labels});
  });

  it('is another run with another decimal mark', async () => {
    const options = optionsOf({decimal: ','});
    await createRun(options);
    await expect(createRun({...options, decimal: undefined})).rejects.toThrow('decimal = ",", not (default)');
    await expect(createRun({...options, decimal: ';' as ','})).rejects.toThrow("decimal = \";\"; expected '.' or ','");
  });

  it('is the only kind of input with a decimal mark', async () => {
    const npy = join(folder, 'x.npy');
    writeFileSync(npy, 'some bytes');
    await expect(createRun(optionsOf({input: npy, decimal: ','}))).rejects.toThrow(
      `decimal = ","; expected left out: ${npy} is no CSV file`,
    );
  });
});

describe('labels that cannot be written', () => {
  const full = join(folder, 'full');
  mkdirSync(full);
  writeFileSync(join(full, 'mine.txt'), 'mine');

  it.for([
    [comma, 'out = '],
    ['labels.npy', 'order = "tile"; expected input', 'tile'],
    [full, 'an empty folder'],
    ['/proc/x/y', '/proc/x/y: cannot be written'],
    [join(folder, 'missing/labels.npy'), 'cannot be written'],
  ] as const)('%s leave no run behind', async ([out, message, order]) => {
    const options = optionsOf({out: out === comma ? `${comma}.npy` : out, order});
    // A link to the input.
    if (out === comma && !existsSync(`${comma}.npy`)) symlinkSync(comma, `${comma}.npy`);
    await expect(createRun(options)).rejects.toThrow(message);
    expect(existsSync(options.work) ? readdirSync(options.work) : []).toEqual([]);
    rmSync(`${comma}.npy`, {force: true});
  });
});

describe.skipIf(process.platform === 'win32')('a work folder of somebody else', () => {
  it.for(['pipe', 'device'])('with a %s in place of a file is refused', async (kind) => {
    const {work} = optionsOf();
    mkdirSync(join(work, 'r'), {recursive: true});
    const path = join(work, 'r/run.json');
    if (kind === 'pipe') spawnSync('mkfifo', [path]);
    else symlinkSync('/dev/zero', path);
    await expect(openRun(work, 'r')).rejects.toThrow(`${path} cannot be read (no regular file)`);
    await expect(createRun(optionsOf({work}))).rejects.toThrow(`${path} cannot be read (no regular file)`);
  });
});

describe('a marker that was copied over another', () => {
  it('costs the task, not the labels', async () => {
    const options = optionsOf({decimal: ',', forced: {chunkRows: 2, rangeRows: 2}});
    const run = await createRun(options);
    await runLocally(run, {concurrency: 1});
    const expected = await collect(run);
    const done = join(options.work, 'r/done');
    const markers = readdirSync(done);
    expect(markers.length).toBeGreaterThan(4);
    for (const [k, marker] of markers.entries()) {
      copyFileSync(join(done, markers[(k + 1) % markers.length]), join(done, marker));
      const again = await openRun(options.work, 'r');
      for (let attempt = 0; attempt < 3; attempt++) {
        await runLocally(again, {concurrency: 1});
        const result = await collect(again).catch((error: unknown) => {
          expect(error).toMatchObject({code: 'FILE_DAMAGED'});
        });
        if (result === undefined) continue;
        expect(result, marker).toEqual(expected);
        break;
      }
    }
  });
});
