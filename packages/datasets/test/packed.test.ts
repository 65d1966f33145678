import {readFileSync, writeFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {sizeOfShare} from '@epsball/conformance/share';
import {describe, expect, it} from 'vitest';
import {readCsvBatches, readPoints} from '../src/index.ts';
import {halfValue} from '../src/formats/numbers.ts';
import {fixture, temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();
const CSV = 'x,y\n1,2\n3,4.5\n';
const POINTS = {coords: Float64Array.of(1, 2, 3, 4.5), dim: 2, columns: ['x', 'y']};

function fileOf(name: string, content: string | Uint8Array): string {
  writeFileSync(file(name), content);
  return file(name);
}

describe('gzip', () => {
  it('reads text, tabs and other spellings', async () => {
    expect(await readPoints(fileOf('a.csv.gz', gzipSync(CSV)))).toEqual(POINTS);
    expect(await readPoints(fileOf('b.TSV.GZ', gzipSync(CSV.replaceAll(',', '\t'))))).toEqual(POINTS);
    const blob = new File([gzipSync(CSV)], 'page.csv.gz');
    expect(await readPoints(blob)).toEqual(POINTS);
  });

  it('reads in batches, and stops early', async () => {
    const rows = Array.from({length: 400_000}, (_, i) => `${i},${-i}\n`).join('');
    const path = fileOf('d.csv.gz', gzipSync(`x,y\n${rows}`));
    expect((await readPoints(path)).coords.subarray(-2)).toEqual(Float64Array.of(399_999, -399_999));
    for await (const {coords} of readCsvBatches(path, {}, 1000)) {
      expect(coords.length).toBeLessThan(400_000);
      break;
    }
  });

  it('refuses damaged, truncated and other files, and a second member, which browsers do not read', async () => {
    const whole = gzipSync(CSV);
    const two = Buffer.concat([whole, gzipSync('5,6\n')]);
    await expect(readPoints(fileOf('c.csv.gz', two))).rejects.toThrow('c.csv.gz: cannot be read (Trailing junk');
    await expect(readPoints(fileOf('e.csv.gz', CSV))).rejects.toThrow(/e\.csv\.gz: cannot be read \(\w.*gzip/);
    await expect(readPoints(fileOf('f.csv.gz', whole.subarray(0, -9)))).rejects.toThrow('f.csv.gz: cannot be read');
    const flipped = Uint8Array.from(whole, (byte, k) => (k === whole.length - 6 ? byte ^ 1 : byte));
    await expect(readPoints(fileOf('g.csv.gz', flipped))).rejects.toThrow('g.csv.gz: cannot be read');
    await expect(readPoints(fileOf('h.npy.gz', whole))).rejects.toThrow('has the unknown extension .npy.gz');
  });
});

describe('GeoJSON sequences', () => {
  const feature = (at: number[] | null, w: number) => ({
    type: 'Feature',
    id: w,
    geometry: at && {type: 'Point', coordinates: at},
    properties: {w},
  });
  const features = [feature([1, 2], 5), feature([3, 4], 6)];
  const expected = {
    coords: Float64Array.of(1, 2, 3, 4),
    dim: 2,
    columns: ['lon', 'lat'],
    properties: [{w: 5}, {w: 6}],
    members: [{id: 5}, {id: 6}],
    weights: Float64Array.of(5, 6),
  };

  it.for([
    ['lines', 'a.geojsonl', features.map((one) => JSON.stringify(one)).join('\n')],
    ['lines with CR and blank ones', 'b.geojsonl', features.map((one) => `${JSON.stringify(one)}\r\n\r\n`).join('')],
    ['records of RFC 8142', 'c.geojsons', features.map((one) => `\u001e${JSON.stringify(one, null, 2)}\n`).join('')],
    ['records under another ending', 'd.geojsonseq', features.map((one) => `\u001e${JSON.stringify(one)}\n`).join('')],
  ] as const)('reads %s', async ([, name, text]) => {
    expect(await readPoints(fileOf(name, text), {weightColumn: 'w'})).toEqual(expected);
  });

  it('reads bare geometries and collections, across blocks', async () => {
    const lines = Array.from({length: 100_000}, (_, i) => JSON.stringify({type: 'Point', coordinates: [i % 180, 1]}));
    const {coords, dim} = await readPoints(fileOf('e.geojsonl', `${lines.join('\n')}\n`));
    expect([coords.length, dim, coords[2 * 99_999]]).toEqual([200_000, 2, 99_999 % 180]);
    const collection = JSON.stringify({type: 'FeatureCollection', features});
    expect((await readPoints(fileOf('f.geojsonl', `${collection}\n${collection}\n`))).coords.length).toBe(8);
  });

  it('names the line of an object that is no JSON or no point', async () => {
    const [line] = features.map((one) => JSON.stringify(one));
    await expect(readPoints(fileOf('g.geojsonl', `${line}\n\n{"type"\n`))).rejects.toThrow(
      'g.geojsonl, line 3: is not JSON',
    );
    const record = JSON.stringify(features[0], null, 1);
    const rows = record.split('\n').length;
    await expect(readPoints(fileOf('h.geojsons', `\u001e${record}\n\u001e{]\n`))).rejects.toThrow(`line ${rows + 1}:`);
    await expect(readPoints(fileOf('i.geojsonl', `${line}\n5\n`))).rejects.toThrow('point 1');
  });
});

describe('NPZ', () => {
  const points = [1.5, 2, 3, 4.25, -5, 6];

  it('reads arrays of numpy, stored and compressed, and ranges of rows', async () => {
    const named = {dataset: 'points'};
    expect(await readPoints(fixture('plain.npz'), named)).toEqual({coords: Float64Array.from(points), dim: 2});
    expect(await readPoints(`${fixture('plain.npz')}:points`)).toEqual({coords: Float64Array.from(points), dim: 2});
    expect(await readPoints(fixture('packed.npz'))).toEqual({coords: Float32Array.from(points), dim: 2});
    expect(await readPoints(new File([readFileSync(fixture('packed.npz'))], 'page.npz'))).toMatchObject({dim: 2});
    expect(await readPoints(fixture('plain.npz'), {...named, rows: [[1, 2]]})).toEqual({
      coords: Float64Array.of(3, 4.25),
      dim: 2,
      rowCount: 3,
    });
  });

  it('lists the arrays, and refuses what is no archive', async () => {
    await expect(readPoints(fixture('plain.npz'))).rejects.toThrow(
      'has 2 arrays; expected a name, one of: points, labels',
    );
    await expect(readPoints(`${fixture('plain.npz')}:x`)).rejects.toThrow('has no array "x"; expected a name, one of');
    await expect(readPoints(fileOf('a.npz', 'no archive, but long enough'))).rejects.toThrow('is not an NPZ file');
  });

  it('answers every damaged byte and every cut with one line', async () => {
    for (const name of ['plain.npz', 'packed.npz']) {
      const whole = readFileSync(fixture(name));
      const step = Math.ceil(whole.length / Math.max(30, sizeOfShare(whole.length)));
      const isOneLine = async (bytes: Uint8Array): Promise<void> => {
        const path = new File([Uint8Array.from(bytes)], 'a.npz');
        const found = await readPoints(path, {dataset: 'points'}).catch((error: unknown) => error);
        if (found instanceof Error) expect(found.name).toBe('DatasetFormatError');
      };
      for (let k = 0; k < whole.length; k += step) {
        await isOneLine(Uint8Array.from(whole, (byte, at) => (at === k ? byte ^ 0xff : byte)));
        if (k > 0) await isOneLine(whole.subarray(0, k));
      }
    }
  });
});

describe('float16', () => {
  it('reads NPY of halves, to float32', async () => {
    expect(await readPoints(fixture('half.npy'))).toEqual({coords: Float32Array.of(1, 2, 3, 4, 5, 6.5), dim: 2});
  });

  it('has the value of every bit pattern', () => {
    expect([0x3c00, 0xc000, 0x3555, 0x0001, 0x03ff, 0x0400, 0x7bff].map(halfValue)).toEqual([
      1,
      -2,
      0.333251953125,
      2 ** -24,
      1023 * 2 ** -24,
      2 ** -14,
      65_504,
    ]);
    expect([halfValue(0x8000), halfValue(0x7c00), halfValue(0xfc00), halfValue(0x7e00)]).toEqual([
      -0,
      Infinity,
      -Infinity,
      NaN,
    ]);
  });
});
