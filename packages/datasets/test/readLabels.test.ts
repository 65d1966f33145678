import {readFileSync, writeFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {readLabels, readPoints, writeLabels, writeNpyRows, writeTable} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();
const labels = Int32Array.of(3, -1, 0);

function textOf(name: string, text: string): string {
  writeFileSync(file(name), text);
  return file(name);
}

describe('readLabels', () => {
  it.for(['.npy', '.csv', '.tsv', '.parquet', '.arrow'])('reads what writeLabels writes as %s', async (extension) => {
    await writeLabels(file(`l${extension}`), labels, Uint8Array.of(1, 0, 1));
    expect(await readLabels(file(`l${extension}`))).toEqual(labels);
  });

  it('reads one column of text, with a header or without, and a named one', async () => {
    expect(await readLabels(textOf('a.txt', '3\n-1\n0\n'))).toEqual(labels);
    expect(await readLabels(textOf('b.csv', 'cluster\n3\n-1\n0\n'))).toEqual(labels);
    expect(await readLabels(textOf('c.csv', 'name,cluster\na,3\nb,-1\nc,0\n'))).toEqual(labels);
    expect(await readLabels(textOf('d.csv', 'x,k\n1,3\n2,-1\n3,0\n'), {column: 'k'})).toEqual(labels);
    expect(await readLabels(textOf('e.csv', '1,3\n2,-1\n3,0\n'), {column: 1})).toEqual(labels);
  });

  it('refuses other files, several columns, and numbers that are no labels', async () => {
    await expect(readLabels(textOf('f.csv', 'x,k\n1,3\n'))).rejects.toThrow(
      'has the columns of numbers x, k; expected one named label, or one chosen by column',
    );
    await expect(readLabels(textOf('g.csv', 'x\na\n'))).rejects.toThrow('has no columns of numbers');
    await expect(readLabels(textOf('h.csv', 'label\n1\n1.5\n'))).rejects.toThrow('label 1 = 1.5; expected a 32-bit');
    await expect(readLabels(textOf('i.csv', 'label\n3000000000\n'))).rejects.toThrow('expected a 32-bit integer');
    await expect(readLabels('a.h5')).rejects.toThrow('is not an .npy file or a table');
    await expect(readLabels(file('l.csv'), {colum: 1} as never)).rejects.toThrow('"colum"');
  });
});

describe('writeTable and writeNpyRows', () => {
  const columns = {row: Int32Array.of(0, 1), value: Float64Array.of(0.5, -2), big: BigInt64Array.of(2n ** 60n, 1n)};

  it('writes columns to CSV, TSV and Parquet', async () => {
    await writeTable(file('t.csv'), columns);
    expect(readFileSync(file('t.csv'), 'utf8')).toBe('row,value,big\n0,0.5,1152921504606846976\n1,-2,1\n');
    await writeTable(file('t.tsv'), columns);
    expect(readFileSync(file('t.tsv'), 'utf8')).toContain('1\t-2\t1\n');
    await writeTable(file('t.parquet'), columns);
    const read = await readPoints(file('t.parquet'), {columns: ['row', 'value']});
    expect(read).toEqual({coords: Float64Array.of(0, 0.5, 1, -2), dim: 2, columns: ['row', 'value']});
    await expect(writeTable(file('u.csv'), {a: labels, b: columns.row})).rejects.toThrow('b.length = 2; expected 3');
    await expect(writeTable(file('u.npy'), columns)).rejects.toThrow('.npy');
  });

  it('writes rows of an array', async () => {
    await writeNpyRows(file('r.npy'), [100_000, 3], (i, row) => (row[i % 3] = i));
    const {coords, dim} = await readPoints(file('r.npy'));
    expect([coords.length, dim]).toEqual([300_000, 3]);
    const expected = new Float64Array(300_000);
    for (let i = 0; i < 100_000; i++) expected[3 * i + (i % 3)] = i;
    expect(coords).toEqual(expected);
    await writeNpyRows(file('none.npy'), [5, 0], () => undefined);
    expect(readFileSync(file('none.npy'), 'latin1')).toContain("'shape': (5, 0)");
  });
});
