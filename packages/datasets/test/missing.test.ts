import {readFileSync, writeFileSync} from 'node:fs';
import {parquetWriteFile} from 'hyparquet-writer';
import {describe, expect, it} from 'vitest';
import {readPoints, writeGeoJson, writeLabels} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();

function fileOf(name: string, text: string): string {
  writeFileSync(file(name), text);
  return file(name);
}

describe('missing: nan', () => {
  it('reads cells without a value as NaN', async () => {
    const csv = fileOf('a.csv', 'x,y,w,t,g\n1,2,3,2024-05-01,a\n,NaN,na,null,\n 4 ,5,,6,b\n');
    const options = {weightColumn: 'w', timeColumn: 't', groupColumn: 'g', missing: 'nan'} as const;
    expect(await readPoints(csv, options)).toEqual({
      coords: Float64Array.of(1, 2, NaN, NaN, 4, 5),
      dim: 2,
      columns: ['x', 'y'],
      weights: Float64Array.of(3, NaN, NaN),
      times: Float64Array.of(1_714_521_600, NaN, 6),
      groups: {names: ['a', 'b'], of: Int32Array.of(0, -1, 1)},
    });
    await expect(readPoints(csv)).rejects.toThrow('line 2: t = "2024-05-01"');
    await expect(readPoints(csv, {columns: ['x', 'y']})).rejects.toThrow('line 3: x = ""; expected a finite number');
  });

  it('finds a header beside empty cells, and none before rows with them', async () => {
    const headed = fileOf('b.csv', ',x\n0,1\n1,\n');
    expect(await readPoints(headed, {missing: 'nan'})).toMatchObject({coords: Float64Array.of(0, 1, 1, NaN)});
    const bare = fileOf('c.csv', '1,,3\n4,5,6\n');
    expect(await readPoints(bare, {missing: 'nan'})).toMatchObject({coords: Float64Array.of(1, NaN, 3, 4, 5, 6)});
  });

  it('still refuses other text, infinities, and rows of another length', async () => {
    await expect(readPoints(fileOf('d.csv', 'x\n1\nn/a\n'), {missing: 'nan'})).rejects.toThrow('x = "n/a"');
    await expect(readPoints(fileOf('e.csv', 'x\n1\ninf\n'), {missing: 'nan'})).rejects.toThrow('x = "inf"');
    await expect(readPoints(fileOf('f.csv', 'x,y\n1\n'), {missing: 'nan'})).rejects.toThrow('has 1 cells');
    await expect(readPoints('f.csv', {missing: 'skip'} as never)).rejects.toThrow("expected 'error' or 'nan'");
  });

  it('reads null of Parquet as NaN', async () => {
    const data = [1.5, null, 2];
    parquetWriteFile({
      filename: file('a.parquet'),
      columnData: [
        {name: 'x', data, type: 'DOUBLE', nullable: true},
        {name: 'g', data: ['a', null, 'b'], type: 'STRING', nullable: true},
      ],
    });
    const options = {groupColumn: 'g', missing: 'nan'} as const;
    const {coords, groups} = await readPoints(file('a.parquet'), options);
    expect(coords).toEqual(Float64Array.of(1.5, NaN, 2));
    expect(groups).toEqual({names: ['a', 'b'], of: Int32Array.of(0, -1, 1)});
    await expect(readPoints(file('a.parquet'), {columns: ['x']})).rejects.toThrow('row 1: x = null');
  });

  it('reads geometries and properties of null in GeoJSON, and writes them back', async () => {
    const feature = (geometry: object | null, w: unknown) => ({type: 'Feature', geometry, properties: {w}});
    const features = [feature({type: 'Point', coordinates: [1, 2]}, 5), feature(null, null)];
    const path = fileOf('a.geojson', JSON.stringify({type: 'FeatureCollection', features}));
    const points = await readPoints(path, {weightColumn: 'w', missing: 'nan'});
    expect(points).toMatchObject({coords: Float64Array.of(1, 2, NaN, NaN), weights: Float64Array.of(5, NaN)});
    await writeGeoJson(file('b.geojson'), points, {properties: points.properties});
    expect(JSON.parse(readFileSync(file('b.geojson'), 'utf8')).features).toEqual(features);
    await expect(readPoints(path)).rejects.toThrow('point 1');
  });
});

describe('writeLabels with rows', () => {
  const labels = Int32Array.of(0, -1);
  const rows = Int32Array.of(1, 4);

  it('writes the rows of labels', async () => {
    await writeLabels(file('a.out.csv'), labels, undefined, {rows});
    expect(readFileSync(file('a.out.csv'), 'utf8')).toBe('index,label\n1,0\n4,-1\n');
    await writeLabels(file('a.json'), labels, undefined, {rows});
    expect(JSON.parse(readFileSync(file('a.json'), 'utf8'))).toEqual({clusterCount: 1, rows: [1, 4], labels: [0, -1]});
    await writeLabels(file('b.parquet'), labels, undefined, {rows});
    const read = await readPoints(file('b.parquet'));
    expect([read.columns, [...read.coords]]).toEqual([
      ['row', 'label'],
      [1, 0, 4, -1],
    ]);
    await expect(writeLabels(file('a.npy'), labels, undefined, {rows})).rejects.toThrow('no rows for a .npy file');
  });
});
