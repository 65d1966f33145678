import {mkdirSync, readFileSync, truncateSync, writeFileSync} from 'node:fs';
import {InvalidParameterError} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {DatasetFormatError, milanesi, readPoints, writeLabels, writePoints} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();
const single = milanesi({n: 1000, seed: 1});
const double = milanesi({n: 1000, seed: 1, precision: 'float64'});

describe('every format', () => {
  it.for(['.npy', '.f32', '.bin', '.h5', '.hdf5', '.parquet', '.NPY'])('%s keeps float32 points', async (extension) => {
    await writePoints(file(`single${extension}`), single);
    const options = extension === '.f32' || extension === '.bin' ? {dim: 2} : {};
    expect(await readPoints(file(`single${extension}`), options)).toMatchObject(single);
  });

  it.for(['.npy', '.f64', '.h5', '.parquet', '.csv', '.tsv', '.txt'])('%s keeps float64 points', async (extension) => {
    await writePoints(file(`double${extension}`), double);
    expect(await readPoints(file(`double${extension}`), extension === '.f64' ? {dim: 2} : {})).toMatchObject(double);
  });

  it.for(['.npy', '.h5', '.parquet'])('%s keeps a set of no points', async (extension) => {
    const none = {coords: new Float64Array(0), dim: 3};
    await writePoints(file(`none${extension}`), none);
    expect(await readPoints(file(`none${extension}`))).toMatchObject(none);
  });

  it.for(['.npy', '.h5', '.parquet', '.csv'])('%s converts to the requested precision', async (extension) => {
    await writePoints(file(`double${extension}`), double);
    const {coords} = await readPoints(file(`double${extension}`), {precision: 'float32'});
    expect(coords).toEqual(Float32Array.from(double.coords));
  });

  it.for(['.npy', '.csv', '.f32', '.bin', '.h5', '.parquet'])(
    '%s rejects a missing and an empty file',
    async (extension) => {
      const missing = file(`missing${extension}`);
      await expect(readPoints(missing, {dim: 2})).rejects.toThrow(
        `${missing}: cannot be read (ENOENT: no such file or directory); expected a data file`,
      );
      writeFileSync(file(`empty${extension}`), '');
      await expect(readPoints(file(`empty${extension}`), {dim: 2})).rejects.toThrow('is empty; expected points');
      mkdirSync(file(`folder${extension}`));
      await expect(readPoints(file(`folder${extension}`), {dim: 2})).rejects.toThrow(
        'is a folder; expected a data file',
      );
    },
  );

  it.for(['.npy', '.h5', '.parquet', '.csv'])('%s rejects a dim that differs from the file', async (extension) => {
    await writePoints(file(`dim${extension}`), single);
    await expect(readPoints(file(`dim${extension}`), {dim: 3})).rejects.toThrow(DatasetFormatError);
  });

  it.for(['.npy', '.h5', '.parquet'])('%s rejects a file cut in half, and garbage, in one line', async (extension) => {
    const path = file(`cut${extension}`);
    await writePoints(path, single);
    truncateSync(path, 4001);
    const cut: unknown = await readPoints(path).catch((error: unknown) => error);
    expect(cut).toBeInstanceOf(DatasetFormatError);
    expect(String(cut)).not.toContain('\n');
    writeFileSync(path, 'x,y\n1,2\n'.repeat(100));
    const garbage: unknown = await readPoints(path).catch((error: unknown) => error);
    expect(garbage).toBeInstanceOf(DatasetFormatError);
    expect(String(garbage)).not.toContain('\n');
  });

  it('rejects an unknown extension and lists the known ones', async () => {
    const known = '.npy .csv .tsv .txt .f32 .f64 .bin .h5 .hdf5 .parquet';
    await expect(readPoints('points.xlsx')).rejects.toThrow(
      `points.xlsx: has the unknown extension .xlsx; expected one of ${known}`,
    );
    await expect(writePoints('points', single)).rejects.toThrow(`points: has no extension; expected one of ${known}`);
    await expect(writeLabels('labels.f32', new Int32Array(0))).rejects.toThrow(
      'expected one of .npy .csv .tsv .json .parquet',
    );
  });

  it('rejects options that it does not know', async () => {
    await expect(readPoints('a.csv', {colums: [0]} as never)).rejects.toThrow('option = "colums"');
    await expect(writePoints('a.csv', {coords: new Float32Array(2), dim: 2}, {foo: 1} as never)).rejects.toThrow(
      '"foo"',
    );
  });

  it('rejects options that do not fit the format', async () => {
    await expect(readPoints('a.npy', {columns: ['x', 'y']})).rejects.toThrow(
      'columns = "x,y"; expected no columns for a .npy file',
    );
    await expect(readPoints('a.csv', {dataset: 'd'})).rejects.toThrow(
      'dataset = "d"; expected no dataset for a .csv file',
    );
    await expect(readPoints('a.csv', {columns: []})).rejects.toThrow('columns = ""; expected at least one column');
    await expect(readPoints('a.csv', {dim: 0})).rejects.toThrow('dim = 0; expected an integer from 1');
  });
});

describe('raw files', () => {
  it('need the dimension', async () => {
    await writePoints(file('raw.f32'), single);
    await expect(readPoints(file('raw.f32'))).rejects.toThrow(InvalidParameterError);
  });

  it('reject a size that is not a multiple of a point', async () => {
    writeFileSync(file('odd.f32'), Buffer.alloc(20));
    await expect(readPoints(file('odd.f32'), {dim: 2})).rejects.toThrow(
      'odd.f32: has 20 bytes; expected a multiple of 8, as a point is 2 × float32',
    );
  });

  it('reject coordinates that would be rounded', async () => {
    await expect(writePoints(file('wrong.f32'), double)).rejects.toThrow(
      'coords = "float64"; expected float32 coordinates',
    );
  });

  it('widen float32 to float64 without loss', async () => {
    await writePoints(file('wide.f64'), single);
    const {coords} = await readPoints(file('wide.f64'), {dim: single.dim});
    expect(coords).toEqual(Float64Array.from(single.coords));
  });
});

describe('labels', () => {
  const labels = new Int32Array([0, -1, 1, 0]);
  const coreMask = new Uint8Array([1, 0, 1, 0]);

  it('are a table in CSV', async () => {
    await writeLabels(file('labels.csv'), labels, coreMask);
    expect(readFileSync(file('labels.csv'), 'utf8')).toBe('index,label,core\n0,0,1\n1,-1,0\n2,1,1\n3,0,0\n');
    await writeLabels(file('labels.tsv'), labels);
    expect(readFileSync(file('labels.tsv'), 'utf8')).toBe('index\tlabel\n0\t0\n1\t-1\n2\t1\n3\t0\n');
  });

  it('are an object in JSON', async () => {
    await writeLabels(file('labels.json'), labels, coreMask);
    expect(JSON.parse(readFileSync(file('labels.json'), 'utf8'))).toEqual({
      clusterCount: 2,
      labels: [0, -1, 1, 0],
      coreMask: [1, 0, 1, 0],
    });
    await writeLabels(file('none.json'), new Int32Array(0));
    expect(JSON.parse(readFileSync(file('none.json'), 'utf8'))).toEqual({clusterCount: 0, labels: []});
  });

  it('are whole in JSON when there are many', async () => {
    const many = Int32Array.from({length: 200_001}, (_, i) => (i % 5) - 1);
    await writeLabels(file('many.json'), many);
    expect(JSON.parse(readFileSync(file('many.json'), 'utf8'))).toEqual({clusterCount: 4, labels: [...many]});
  });

  it('reject a core mask of another length', async () => {
    await expect(writeLabels(file('bad.csv'), labels, new Uint8Array(3))).rejects.toThrow(
      'coreMask.length = 3; expected 4, as many as labels',
    );
  });
});
