import {readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {File as Hdf5File, ready} from 'h5wasm/node';
import {parquetWriteFile} from 'hyparquet-writer';
import {describe, expect, it} from 'vitest';
import {readContainer} from '../src/formats/containers.ts';
import {DatasetFormatError, readPoints} from '../src/index.ts';
import {fixture, temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();

async function failureOf(work: Promise<unknown>): Promise<DatasetFormatError> {
  const failure: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(DatasetFormatError);
  expect((failure as DatasetFormatError).message).not.toContain('\n');
  return failure as DatasetFormatError;
}

/** Bytes by which the process grows while `work` runs. */
async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(most, process.memoryUsage().rss) - before;
}

describe('HDF5', () => {
  /** Writes n × 2 points with gzip in chunks. */
  async function write(path: string, n: number): Promise<void> {
    await ready;
    const hdf5 = new Hdf5File(path, 'w');
    const data = Float32Array.from({length: 2 * n}, (_, k) => Math.sin(k));
    hdf5.create_dataset({
      name: 'p',
      data,
      shape: [n, 2],
      dtype: '<f',
      chunks: [Math.min(n, 64), 2],
      compression: 'gzip',
    });
    hdf5.close();
  }

  it('a damaged file is an error in one line and leaves no descriptor open', async () => {
    await write(file('whole.h5'), 500);
    const bytes = readFileSync(file('whole.h5'));
    const path = file('damaged.h5');
    let failures = 0;
    const openBefore = readdirSync('/proc/self/fd').length;
    for (let at = 9; at < bytes.length; at += Math.ceil(bytes.length / 8)) {
      writeFileSync(path, bytes.with(at, bytes[at] ^ 0xff));
      await readPoints(path).catch((error: unknown) => {
        failures++;
        expect(error).toBeInstanceOf(DatasetFormatError);
        expect(String(error)).not.toContain('\n');
      });
    }
    expect(failures).toBeGreaterThan(0);
    expect(readdirSync('/proc/self/fd').length).toBe(openBefore);
  });

  it('the next file at the path of a damaged one is read with its own shape', async () => {
    const path = file('reused.h5');
    await write(path, 300);
    const bytes = readFileSync(path);
    // Within the compressed values.
    writeFileSync(path, bytes.fill(0xff, bytes.length - 400));
    await failureOf(readPoints(path));
    await write(path, 7);
    expect((await readPoints(path)).coords).toHaveLength(14);
  });

  it('reports the innermost message of the library', async () => {
    await write(file('values.h5'), 300);
    const bytes = readFileSync(file('values.h5'));
    writeFileSync(file('values.h5'), bytes.fill(0xff, bytes.length - 400));
    expect((await failureOf(readPoints(file('values.h5')))).reason).toMatch(
      /^is damaged \(filter returned failure.*\); expected a whole HDF5 file$/,
    );
  });

  it.for([0, 4])('a small file that claims 10⁹ rows takes no memory (deflate %d)', async (level) => {
    await ready;
    const path = file(`claims-${level}.h5`);
    const hdf5 = new Hdf5File(path, 'w');
    const data = new Float32Array([1, 2, 3, 4]);
    const chunks = [1024, 2];
    hdf5.create_dataset({
      name: 'p',
      data,
      shape: [2, 2],
      maxshape: [null, 2],
      dtype: '<f',
      chunks,
      compression: level,
    });
    const dataset = hdf5.get('p');
    if (!(dataset instanceof Object) || !('resize' in dataset)) throw new Error('p is a dataset');
    dataset.resize([1e9, 2]);
    hdf5.close();
    const taken = await memoryOf(async () => {
      const {reason} = await failureOf(readPoints(path));
      expect(reason).toMatch(/^dataset p claims 8000000000 bytes in a file of \d+ bytes/);
    });
    expect(taken).toBeLessThan(300e6);
  });

  it('external links are not followed, soft links are', async () => {
    await write(file('other.h5'), 5);
    const path = file('links.h5');
    const hdf5 = new Hdf5File(path, 'w');
    const group = hdf5.create_group('group');
    group.create_dataset({name: 'own', data: new Float32Array([1, 2]), shape: [1, 2], dtype: '<f'});
    hdf5.create_external_link(file('other.h5'), '/p', 'outside');
    hdf5.create_external_link(file('other.h5'), '/', 'elsewhere');
    hdf5.create_soft_link('/group', 'alias');
    hdf5.create_soft_link('alias/own', 'twice');
    hdf5.create_soft_link('/circle', 'circle');
    hdf5.create_soft_link('/elsewhere/p', 'hidden');
    hdf5.close();
    const own = {coords: new Float32Array([1, 2]), dim: 2};
    for (const dataset of [undefined, 'group/own', 'alias/own', '/twice']) {
      expect(await readPoints(path, {dataset})).toEqual(own);
    }
    for (const dataset of ['outside', 'elsewhere/p', 'hidden']) {
      const {reason} = await failureOf(readPoints(path, {dataset}));
      expect(reason).toContain(`dataset ${dataset} lies in another file, "`);
    }
    expect((await failureOf(readPoints(path, {dataset: 'circle'}))).reason).toBe('dataset circle is a circle of links');
    expect((await failureOf(readPoints(path, {dataset: 'alias'}))).reason).toContain('has no dataset alias');
  });

  it('with values in other files does not read them', async () => {
    // Both are by h5py. The values of the first are the bytes of a file savetxt.csv in the working folder.
    expect((await failureOf(readPoints(fixture('external-storage.h5')))).reason).toBe(
      'needs another file, "savetxt.csv"; expected a whole HDF5 file',
    );
    expect((await failureOf(readPoints(fixture('virtual.h5')))).reason).toBe(
      'dataset p takes its values from other files; expected this file',
    );
  });

  it('is read through a symbolic link and after a user block', async () => {
    await write(file('plain.h5'), 3);
    symlinkSync(file('plain.h5'), file('linked.h5'));
    expect((await readPoints(file('linked.h5'))).coords).toHaveLength(6);
    writeFileSync(file('block.h5'), Buffer.concat([Buffer.alloc(512), readFileSync(file('plain.h5'))]));
    expect((await readPoints(file('block.h5'))).coords).toHaveLength(6);
  });

  it('ends with the reason of a signal', async () => {
    await write(file('abort.h5'), 3);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(readPoints(file('abort.h5'), {signal})).rejects.toThrow('enough');
  });
});

describe('Parquet', () => {
  it.for([
    ['readVarInt', 'hyparquet-endless-readVarInt.parquet'],
    ['readRleBitPackedHybrid', 'hyparquet-endless-levels.parquet'],
  ])(
    'is given up where hyparquet 1.31.5 never returns from %s: a v2 page header without level lengths makes its offset NaN',
    async ([, name]) => {
      const {reason} = await failureOf(readContainer('parquet', fixture(name), {precision: 'source'}, {stallMs: 500}));
      expect(reason).toBe('cannot be decoded (no progress in 0.5 s of CPU time)');
    },
  );

  it('that decodes without end leaves the event loop free, and a signal ends it', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('Ctrl-C')), 200);
    const {signal} = controller;
    await expect(readPoints(fixture('hyparquet-endless-readVarInt.parquet'), {signal})).rejects.toThrow('Ctrl-C');
  });

  it('reports damage with an error that names the file', async () => {
    const lat = {name: 'lat', data: new Float64Array([1.5, 2.5, 3.5, 4.5])};
    const lon = {name: 'lon', data: new Float32Array([5, 6, 7, 8])};
    parquetWriteFile({filename: file('whole.parquet'), columnData: [lat, lon], rowGroupSize: 3, codec: 'SNAPPY'});
    const bytes = readFileSync(file('whole.parquet'));
    for (let at = 4; at < bytes.length; at += Math.ceil(bytes.length / 32)) {
      writeFileSync(file('damaged.parquet'), bytes.with(at, bytes[at] ^ 0xff));
      // Damage to a value gives another value: this file has no checksum.
      const reading = readContainer('parquet', file('damaged.parquet'), {precision: 'source'}, {stallMs: 2000});
      const failure: unknown = await reading.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure !== undefined) expect(failure, `byte ${at}`).toBeInstanceOf(DatasetFormatError);
    }
  });

  it('without columns is an error', async () => {
    parquetWriteFile({filename: file('bare.parquet'), columnData: []});
    expect((await failureOf(readPoints(file('bare.parquet')))).reason).toBe(
      'has no columns; expected columns of numbers',
    );
  });

  it('with a schema that hyparquet runs into is an error without the text of the engine', async () => {
    parquetWriteFile({filename: file('schema.parquet'), columnData: [{name: 'lat', data: new Float64Array(4)}]});
    const bytes = readFileSync(file('schema.parquet'));
    const at = bytes.lastIndexOf('root');
    // The number of children of the root, after its name.
    writeFileSync(file('schema.parquet'), bytes.with(at + 5, 0x40));
    const {message} = await failureOf(readPoints(file('schema.parquet')));
    expect(message).toBe(`${file('schema.parquet')}: is damaged; expected a whole Parquet file`);
  });
});
