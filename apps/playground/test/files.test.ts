import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {PointSet} from '@epsball/clustering';
import {generateDataset, writePoints} from '@epsball/datasets';
import {readPointsFile} from '../src/files/readPointsFile.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'epsball-playground-'));
});
afterAll(() => rm(folder, {recursive: true}));

async function written(name: string, points: PointSet): Promise<File> {
  const path = join(folder, name);
  await writePoints(path, points);
  return new File([await readFile(path)], name);
}

const narrow = generateDataset('gaussians:n=500,dim=3');
const wide = generateDataset('varied:n=300,precision=float64');

describe('a file that this repository wrote', () => {
  it.for(['a.npy', 'a.csv', 'a.tsv', 'a.parquet'])('has the same points in the page: %s', async (name) => {
    for (const points of [narrow, wide]) {
      const {coords, dim} = await readPointsFile(await written(name, points));
      expect(dim).toBe(points.dim);
      expect(coords).toEqual(points.coords);
    }
  });
});

describe('a file of another program', () => {
  it('may be Feather, an archive of NumPy, or packed text', async () => {
    const fixtures = new URL('../../../packages/datasets/test/fixtures/', import.meta.url);
    const feather = new File([await readFile(new URL('lz4.feather', fixtures))], 'a.feather');
    expect(await readPointsFile(feather)).toMatchObject({dim: 2, columns: ['x', 'y'], available: ['x', 'y']});
    const packed = new File([gzipSync('x,y\n1,2\n')], 'a.csv.gz');
    expect(await readPointsFile(packed)).toMatchObject({columns: ['x', 'y'], coords: Float32Array.of(1, 2)});
    expect(await readPointsFile(text('1 2\n3 4\n', 'a.xyz'))).toMatchObject({coords: Float32Array.of(1, 2, 3, 4)});
    const lines = text('{"type":"Point","coordinates":[1,2]}\n{"type":"Point","coordinates":[3,4]}\n', 'a.geojsonl');
    expect((await readPointsFile(lines)).coords).toEqual(Float64Array.of(1, 2, 3, 4));
  });
});

function text(content: string, name = 'a.csv'): File {
  return new File([content], name);
}

/** A NumPy file with this header and content. */
function npy(header: string, content: ArrayBufferView<ArrayBuffer>): File {
  const padded = header.padEnd(53) + '\n';
  const head = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, padded.length, 0);
  return new File([head, padded, content], 'a.npy');
}

describe('a table', () => {
  it('gives well-known columns, and lists all columns of numbers', async () => {
    const file = text('id,name,lat,lon\n1,Ulm,48.4,9.99\n2,Bonn,50.7,7.1\n');
    expect(await readPointsFile(file)).toMatchObject({
      dim: 2,
      columns: ['lon', 'lat'],
      available: ['id', 'lat', 'lon'],
      coords: Float64Array.of(9.99, 48.4, 7.1, 50.7),
    });
    expect(await readPointsFile(file, ['id', 'lat'])).toMatchObject({coords: Float64Array.of(1, 48.4, 2, 50.7)});
  });

  it('may have no header, other separators, comments and empty lines', async () => {
    const {coords} = await readPointsFile(text('# made by hand\n1;2\n\n3;4.5\n'));
    expect(coords).toEqual(Float32Array.of(1, 2, 3, 4.5));
  });

  it.for([
    ['a.csv', 'x,y\n1,2\n3,\n', /line 3: y = ""; expected a finite number/],
    ['a.csv', 'x,y\n1,2\n3,abc\n', /line 3: y = "abc"; expected a finite number/],
    ['a.csv', '', /is empty; expected points/],
    ['a.csv', 'a,b\nc,d\n', /no column of numbers/],
    ['a.npy', 'no array', /not an NPY file/],
    ['a.parquet', 'no table at all', /not a Parquet file/],
    ['a.docx', 'x', /unknown extension; expected one of \.npy/],
  ] as const)('that cannot be read says what is wrong: %s %s', async ([name, content, message]) => {
    await expect(readPointsFile(text(content, name))).rejects.toThrow(message);
  });
});

describe('GeoJSON', () => {
  const content = JSON.stringify({
    type: 'MultiPoint',
    coordinates: [
      [9.99, 48.4],
      [7.1, 50.7],
    ],
  });

  it.for(['a.geojson', 'a.json'])('gives longitude and latitude: %s', async (name) => {
    expect(await readPointsFile(text(content, name))).toMatchObject({
      columns: ['lon', 'lat'],
      coords: Float64Array.of(9.99, 48.4, 7.1, 50.7),
    });
  });

  it('that is none says so', async () => {
    await expect(readPointsFile(text('{', 'a.json'))).rejects.toThrow(/is not JSON/);
  });
});

describe('a Parquet file', () => {
  it('with an integer that float64 does not hold is refused by its row', async () => {
    const url = new URL('../../../packages/datasets/test/fixtures/types.parquet', import.meta.url);
    const types = new File([await readFile(url)], 'types.parquet');
    const {coords} = await readPointsFile(types, ['i64', 'u32']);
    expect([...coords]).toEqual([1 - 2 ** 53, 0, 2 ** 53 - 1, 2 ** 32 - 1, 1, 1]);
    await expect(readPointsFile(types, ['wideI64', 'u32'])).rejects.toThrow(
      'row 1: wideI64 = -9007199254740993; expected integers below 2^53 in magnitude',
    );
  });
});

describe('a NumPy array', () => {
  it('may be in Fortran order, of integers, or a vector', async () => {
    const fortran = npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", Float32Array.of(1, 3, 2, 4));
    expect((await readPointsFile(fortran)).coords).toEqual(Float32Array.of(1, 2, 3, 4));
    const integers = npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", Int32Array.of(7, -8));
    expect(await readPointsFile(integers)).toMatchObject({dim: 1, coords: Float64Array.of(7, -8)});
  });

  it('that is truncated or of another type is rejected', async () => {
    const short = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9, 2), }", Float32Array.of(1, 2));
    await expect(readPointsFile(short)).rejects.toThrow(/truncated/);
    const words = npy("{'descr': '<U4', 'fortran_order': False, 'shape': (1, 2), }", Float32Array.of(1, 2));
    await expect(readPointsFile(words)).rejects.toThrow(/dtype <U4; expected float32/);
  });
});
