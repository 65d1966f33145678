import {readFileSync} from 'node:fs';
import {parquetReadObjects} from 'hyparquet';
import {describe, expect, it} from 'vitest';
import {readLabels, writeLabels} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();
const labels = Int32Array.of(0, -1);
const columns = {probability: Float64Array.of(0.25, 0), outlier_score: Float64Array.of(0, 1)};

describe('writeLabels with more columns', () => {
  it('writes them to a table', async () => {
    await writeLabels(file('a.csv'), labels, undefined, {columns});
    expect(readFileSync(file('a.csv'), 'utf8')).toBe('index,label,probability,outlier_score\n0,0,0.25,0\n1,-1,0,1\n');
    await writeLabels(file('b.tsv'), labels, Uint8Array.of(1, 0), {columns});
    expect(readFileSync(file('b.tsv'), 'utf8')).toContain('1\t-1\t0\t0\t1\n');
  });

  it('writes them to JSON and Parquet, and labels only to NPY', async () => {
    await writeLabels(file('a.json'), labels, undefined, {columns});
    expect(JSON.parse(readFileSync(file('a.json'), 'utf8'))).toEqual({
      clusterCount: 1,
      labels: [0, -1],
      probability: [0.25, 0],
      outlier_score: [0, 1],
    });
    await writeLabels(file('a.parquet'), labels, undefined, {columns});
    const bytes = readFileSync(file('a.parquet'));
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    });
    expect(rows).toEqual([
      {label: 0, probability: 0.25, outlier_score: 0},
      {label: -1, probability: 0, outlier_score: 1},
    ]);
    await writeLabels(file('a.npy'), labels, undefined, {columns});
    expect(await readLabels(file('a.npy'))).toEqual(labels);
  });

  it('writes text, integers of 64 bits and gaps', async () => {
    const gaps = {
      name: ['a,"b"', null],
      id: [null, 2n ** 53n + 1n],
      share: [0.5, null],
      none: [null, null],
      wide: BigInt64Array.of(-1n, 7n),
      float: Float64Array.of(NaN, -Infinity),
    };
    await writeLabels(file('g.csv'), labels, undefined, {columns: gaps});
    expect(readFileSync(file('g.csv'), 'utf8')).toBe(
      'index,label,name,id,share,none,wide,float\n0,0,"a,""b""",,0.5,,-1,NaN\n1,-1,,9007199254740993,,,7,-Infinity\n',
    );
    await writeLabels(file('g.json'), labels, undefined, {columns: gaps});
    expect(readFileSync(file('g.json'), 'utf8')).toBe(
      '{"clusterCount":1,"labels":[0,-1],"name":["a,\\"b\\"",null],"id":[null,9007199254740993],"share":[0.5,null],' +
        '"none":[null,null],"wide":[-1,7],"float":[null,null]}\n',
    );
    await writeLabels(file('g.parquet'), labels, undefined, {columns: gaps});
    const bytes = readFileSync(file('g.parquet'));
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    });
    expect(rows).toEqual([
      {label: 0, name: 'a,"b"', id: null, share: 0.5, none: null, wide: -1n, float: NaN},
      {label: -1, name: null, id: 2n ** 53n + 1n, share: null, none: null, wide: 7n, float: -Infinity},
    ]);
  });

  it('rejects a column of another length', async () => {
    const short = {probability: new Float64Array(1)};
    await expect(writeLabels(file('c.csv'), labels, undefined, {columns: short})).rejects.toThrow(
      'probability.length = 1; expected 2, as many as labels',
    );
  });
});
