import {writeFileSync} from 'node:fs';
import {Readable} from 'node:stream';
import {describe, expect, it} from 'vitest';
import {readCsvBatches, readCsvStream, readPoints, type ReadPointsOptions} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();

/** Reads text as a file, as a stream and in batches, which agree. */
async function read(name: string, text: string, options: ReadPointsOptions = {}): Promise<number[]> {
  writeFileSync(file(name), text);
  const {coords} = await readPoints(file(name), options);
  const bytes = Buffer.from(text);
  const chunks = Array.from({length: bytes.length}, (_, k) => bytes.subarray(k, k + 1));
  if (!name.endsWith('.tsv')) expect((await readCsvStream(Readable.from(chunks), options)).coords).toEqual(coords);
  const batches: number[] = [];
  for await (const batch of readCsvBatches(file(name), options, 1)) batches.push(...batch.coords);
  expect(batches).toEqual([...coords]);
  return [...coords];
}

describe('the delimiter', () => {
  it.for<[what: string, name: string, text: string, options?: ReadPointsOptions]>([
    ['other delimiters in quotes of the header', 'a.csv', '"x, east";"y, north, here"\n1;2\n3;4\n'],
    ['doubled quotes in the header', 'a.csv', '"x "",,,"" ";y\n1;2\n3;4\n'],
    ['line breaks in quotes of the header', 'a.csv', '"x,\n,,";y\n1;2\n3;4\n'],
    ['quotes of a comment', 'a.csv', '# 5" and "more\nx;y\n1;2\n3;4\n'],
    ['a .tsv with more commas than tabs', 'a.tsv', 'x, in m, east\ty, in m, north\n1\t2\n3\t4\n'],
    ['a .tsv with commas', 'a.tsv', 'x,y\n1,2\n3,4\n'],
    ['white space of numpy.savetxt', 'a.txt', '1.000e+00 2.000e+00\n3.000e+00 4.000e+00\n'],
    ['columns of equal width', 'a.txt', '   x    y\n   1    2\n   3    4  \n'],
    ['spaces and tabs', 'a.dat.txt', '1 \t2\n3\t 4\n'],
    ['white space behind a comment', 'a.txt', '# x, y\n1 2\n3 4\n'],
    ['white space in one row', 'a.csv', '1 2'],
    ['one that is given', 'a.csv', 'x|y\n1|2\n3|4\n', {delimiter: '|'}],
    ['one that is given, with others more frequent', 'a.csv', 'a,b,c;y\n1;2\n3;4\n', {delimiter: ';'}],
    ['white space that is given', 'a.csv', 'x,y 2\n1 2\n3 4\n', {delimiter: ' '}],
    ['a tab that is given', 'a.csv', 'x;1;2\ty\n1\t2\n3\t4\n', {delimiter: '\t'}],
  ])('is found: %s', async ([, name, text, options]) => {
    expect(await read(name, text, options)).toEqual([1, 2, 3, 4].slice(0, text === '1 2' ? 2 : 4));
  });

  it('leaves a single column with spaces in its name as one', async () => {
    expect(await read('a.csv', 'sepal length\n1\n2\n')).toEqual([1, 2]);
  });

  it('reads text beside numbers in white space', async () => {
    expect(await read('a.txt', 'town lat lon\n"Le Mans" 48 0.2\nParis 49 2.3\n', {columns: ['lat', 'lon']})).toEqual([
      48, 0.2, 49, 2.3,
    ]);
  });

  it('is one character', async () => {
    for (const delimiter of ['', ',,', 'a', '1', '"', '#', '\n', '.', '-']) {
      await expect(read('a.csv', '1,2\n', {delimiter})).rejects.toMatchObject({parameter: 'delimiter'});
    }
    await expect(read('a.csv', '1,2\n', {delimiter: ',', decimal: ','})).rejects.toThrow('than the decimal mark');
    await expect(read('a.csv', '1,2\n', {decimal: 'x' as never})).rejects.toThrow(
      "decimal = \"x\"; expected '.' or ','",
    );
    for (const option of [{delimiter: ','}, {decimal: '.'}] as const) {
      await expect(readPoints(file('a.npy'), option)).rejects.toThrow('for a .npy file');
    }
  });
});

describe('a decimal comma', () => {
  it.for<[what: string, name: string, text: string]>([
    ['tabs', 'a.txt', '52,5\t13,4\n-52,25\t1,5e1\n'],
    ['tabs of a .tsv', 'a.tsv', '52,5\t13,4\n-52,25\t1,5e1\n'],
    ['semicolons', 'a.csv', '52,5;13,4\n-52,25;15\n'],
    ['semicolons below a header', 'a.csv', 'lat;lon\n52,5;13,4\n-52,25;15,0\n'],
    ['white space', 'a.txt', '52,5 13,4\n-52,25 15\n'],
    ['quotes', 'a.csv', '"lat";"lon"\n"52,5";"13,4"\n"-52,25";"15"\n'],
  ])('is read between %s, and refused with advice without the option', async ([, name, text]) => {
    expect(await read(name, text, {decimal: ','})).toEqual([52.5, 13.4, -52.25, 15]);
    await expect(read(name, text)).rejects.toThrow(
      /= "-?\d+,\d+"; expected a finite number, or the option decimal = ","$/,
    );
  });

  it('leaves points of other numbers out', async () => {
    await expect(read('a.csv', 'x;y\n1.5;2\n', {decimal: ','})).rejects.toThrow('x = "1.5"; expected a finite number');
    await expect(read('a.csv', 'x;y\n1,000,5;2\n', {decimal: ','})).rejects.toThrow('x = "1,000,5"');
  });

  it('separates cells where it is the only delimiter', async () => {
    for (const text of ['1,2\n3,4\n', '1, 2\n3, 4\n', 'x y, z\n1, 2\n3, 4\n']) {
      expect(await read('a.csv', text)).toEqual([1, 2, 3, 4]);
    }
  });
});

describe('a place in a file without a header', () => {
  it('is refused with columns that then are read', async () => {
    const text = '52.5,13.4\n48.9,2.35\n';
    await expect(read('a.csv', text, {columns: 'place'})).rejects.toThrow(
      'a.csv: has no header; expected a latitude and a longitude chosen by columns 0,1 or 1,0',
    );
    expect(await read('a.csv', text, {columns: ['1', '0']})).toEqual([13.4, 52.5, 2.35, 48.9]);
  });
});
