import {spawnSync} from 'node:child_process';
import {symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {Readable} from 'node:stream';
import * as fc from 'fast-check';
import {describe, expect, it, onTestFinished} from 'vitest';
import {readCsvBatches, readCsvStream, readLabels, readPoints} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();
const EXTENSIONS = ['.npy', '.csv', '.f32', '.h5', '.parquet'];

describe('an input that is not a regular file', () => {
  it.for(EXTENSIONS)('%s: a named pipe is refused at once', async (extension) => {
    const path = file(`pipe${extension}`);
    expect(spawnSync('mkfifo', [path]).status).toBe(0);
    await expect(readPoints(path, {dim: 2})).rejects.toThrow(
      `${path}: is a named pipe; expected a regular file, or - to read CSV from standard input`,
    );
  });

  it.for(EXTENSIONS)('%s: a link to a device is refused unread', async (extension) => {
    const path = file(`zero${extension}`);
    symlinkSync('/dev/zero', path);
    await expect(readPoints(path, {dim: 2})).rejects.toThrow('is a device; expected a regular file, or - to read CSV');
  });

  it('labels: a link to a device is refused unread', async () => {
    symlinkSync('/dev/zero', file('labels.npy'));
    await expect(readLabels(file('labels.npy'))).rejects.toThrow('is a device; expected a regular file');
  });

  it('a device without an extension is refused as one', async () => {
    await expect(readPoints('/dev/null')).rejects.toThrow('/dev/null: is a device; expected a regular file');
  });
});

it('a file is read without a stream of its handle, which closes it twice under Yarn PnP and kills the process', async () => {
  writeFileSync(file('plain.csv'), 'x,y\n1,2\n');
  const handle = await open(file('plain.csv'));
  const prototype = Object.getPrototypeOf(handle) as {createReadStream: () => unknown};
  await handle.close();
  const {createReadStream} = prototype;
  onTestFinished(() => void (prototype.createReadStream = createReadStream));
  prototype.createReadStream = () => {
    throw new Error('EBADF: bad file descriptor, close');
  };
  expect((await readPoints(file('plain.csv'))).coords).toEqual(Float64Array.of(1, 2));
  for await (const {coords} of readCsvBatches(file('plain.csv'), {}, 1)) expect(coords).toEqual(Float64Array.of(1, 2));
});

describe('a huge file of zeros', () => {
  it.for([
    ['.npy', 'is not an NPY file'],
    ['.csv', 'has no end of row in its first 65536 bytes'],
    ['.f32', 'coordinates (8796093022208 bytes as float32); expected at most the'],
    ['.h5', 'is not an HDF5 file; expected its signature'],
    ['.parquet', 'is not a Parquet file; expected PAR1 as its first bytes'],
  ])('%s is refused before it takes memory', async ([extension, message]) => {
    const path = file(`sparse${extension}`);
    writeFileSync(path, '');
    truncateSync(path, 2 ** 43);
    const before = process.memoryUsage().rss;
    await expect(readPoints(path, {dim: 2})).rejects.toThrow(message);
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  });
});

describe('readCsvStream', () => {
  const stream = (...chunks: string[]): Readable => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

  it('reads rows of numbers', async () => {
    const points = await readCsvStream(stream('lat,lon\n1,', '2\n3,4\n'), {columns: ['lon', 'lat']});
    expect(points).toEqual({coords: new Float64Array([2, 1, 4, 3]), dim: 2, columns: ['lon', 'lat']});
    expect((await readCsvStream(stream('1\n2'), {precision: 'float32'})).coords).toEqual(new Float32Array([1, 2]));
  });

  it('reads the same however the bytes are cut', async () => {
    const text = '\uFEFF# ä\r\n\r\n"na""me",x,y\r\n"ü,\n",1,2\r"b",3,4\n\n#c\r\nc,5,6\r\n';
    const bytes = Buffer.from(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = ends.map((end, k) => bytes.subarray(k === 0 ? 0 : ends[k - 1], end));
        const {coords} = await readCsvStream(Readable.from(chunks), {columns: ['x', 'y']});
        expect([...coords]).toEqual([1, 2, 3, 4, 5, 6]);
      }),
      {numRuns: 200, seed: 5, examples: [[Array.from(bytes.keys())]]},
    );
  });

  it('names the stream and the line in errors', async () => {
    await expect(readCsvStream(stream('x\n1\na\n'))).rejects.toThrow('standard input, line 3: x = "a"; expected');
    await expect(readCsvStream(stream(), {name: '-'})).rejects.toThrow('-: has no rows; expected rows of numbers');
    await expect(readCsvStream(stream('x,y\n'), {name: '-'})).rejects.toThrow('-: has no data row');
  });

  it('refuses an endless line in bounded memory', async () => {
    const zeros = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(2 ** 16);
      })(),
    );
    await expect(readCsvStream(zeros)).rejects.toThrow('has no end of row in its first 65536 bytes');
    const longRow = Readable.from(
      (function* () {
        yield Buffer.from('x\n1\n"');
        for (;;) yield Buffer.alloc(2 ** 20, 'a');
      })(),
    );
    await expect(readCsvStream(longRow)).rejects.toThrow('has a row of over 16777216 bytes');
    expect(longRow.destroyed).toBe(true);
  });

  it.for([
    ['nothing', ''],
    ['a header', 'x,y\n'],
    ['rows', 'x,y\n1,2\n3,4\n'],
  ])('ends with the reason of a signal that fires after %s', async ([, text]) => {
    const controller = new AbortController();
    const waiting = new Readable({read: () => {}});
    if (text !== '') waiting.push(text);
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(readCsvStream(waiting, {signal: controller.signal})).rejects.toThrow('enough');
    expect(waiting.destroyed).toBe(true);
  });

  it('reports a stream that fails', async () => {
    const failing = new Readable({read: () => {}});
    failing.push('x\n1\n');
    setTimeout(() => failing.destroy(new Error('EIO: i/o error')), 20);
    await expect(readCsvStream(failing)).rejects.toThrow('standard input: cannot be read (EIO: i/o error)');
  });
});
