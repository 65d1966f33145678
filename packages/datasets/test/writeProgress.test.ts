import {open, type FileHandle} from 'node:fs/promises';
import {filled} from '@epsball/clustering';
import {expect, it, vi} from 'vitest';
import {LABEL_EXTENSIONS} from '../src/formats/extensions.ts';
import {readLabels, readPoints, writeLabels, writeNpyRows, writePoints, type WriteOptions} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();

/** Rows of several blocks. */
const N = 3 * 2 ** 18 + 1;

/** Shares that a write reports, checked. */
async function sharesOf(write: (options: WriteOptions) => Promise<void>): Promise<readonly number[]> {
  const shares: number[] = [];
  await write({
    onProgress: ({phase, done, total}) => {
      expect(phase).toBe('write');
      shares.push(done / total);
    },
  });
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect([shares[0], shares.at(-1)]).toEqual([0, 1]);
  return shares;
}

it.for(['.npy', '.tsv', '.f32', '.f64', '.h5', '.geojson', '.parquet'])(
  'points in %s report shares from 0 to 1, and come back',
  async (extension) => {
    const points = {coords: filled(new Float32Array(2 * N), (i) => i % 90), dim: 2};
    const path = file(`points${extension}`);
    const shares = await sharesOf((options) => writePoints(path, points, options));
    expect(shares.length).toBeGreaterThan(extension === '.npy' ? 1 : 2);
    const coords = Float32Array.from((await readPoints(path, {dim: 2})).coords);
    expect(Buffer.compare(Buffer.from(coords.buffer), Buffer.from(points.coords.buffer))).toBe(0);
  },
);

it.for(LABEL_EXTENSIONS)('labels in %s report shares from 0 to 1, and come back', async (extension) => {
  const labels = filled(new Int32Array(N), (i) => (i % 7) - 1);
  const coreMask = filled(new Uint8Array(N), (i) => (i % 3) & 1);
  // A gap in the last block alone.
  const columns = extension === '.npy' ? {} : {id: Array.from(labels, (label, i) => (i === N - 1 ? null : label))};
  const path = file(`labels${extension}`);
  const shares = await sharesOf((options) => writeLabels(path, labels, coreMask, {...options, columns}));
  expect(shares.length).toBeGreaterThan(extension === '.npy' ? 1 : 2);
  if (extension === '.json') return;
  const read = Int32Array.from(await readLabels(path, {column: extension === '.npy' ? undefined : 'label'}));
  expect(Buffer.compare(Buffer.from(read.buffer), Buffer.from(labels.buffer))).toBe(0);
});

it('rows of an array and files without rows end at 1, too', async () => {
  await sharesOf((options) => writeNpyRows(file('rows.npy'), [100_000, 3], (i, row) => row.fill(i), options));
  const ends: number[] = [];
  const onProgress: WriteOptions['onProgress'] = ({done, total}) => ends.push(total - done);
  await writeLabels(file('none.arrow'), new Int32Array(0), undefined, {onProgress});
  await writeLabels(file('none.parquet'), new Int32Array(0), undefined, {onProgress});
  expect(ends.every((end) => end === 0)).toBe(true);
});

it('reads of GeoJSON report their steps', async () => {
  const path = file('few.geojson');
  await writePoints(path, {coords: Float64Array.from({length: 2000}, (_, i) => i % 90), dim: 2});
  const shares: number[] = [];
  await readPoints(path, {onProgress: ({done, total}) => shares.push(Math.round((100 * done) / total))});
  expect([...new Set(shares)]).toEqual([0, 85, 92, 100]);
});

it.for(['.h5', '.npy'])('%s waits for the disk before all has been written', async (extension) => {
  const path = file(`large${extension}`);
  const handle = await open(path, 'w');
  const datasync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'datasync');
  await handle.close();
  const shares: number[] = [];
  const onProgress: WriteOptions['onProgress'] = ({done, total}) => {
    if (datasync.mock.calls.length > 0) shares.push(done / total);
  };
  // Over 64 MiB, after which the writers wait.
  await writePoints(path, {coords: new Float32Array(2 ** 24 + 2 ** 22), dim: 2}, {onProgress});
  expect(shares[0]).toBeLessThan(1);
  datasync.mockRestore();
});
