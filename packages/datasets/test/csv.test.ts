import {readFileSync, writeFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {SEED, sizeOfShare} from '@epsball/conformance/share';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {toNumber} from '../src/formats/csvFormat.ts';
import {readPoints, writePoints, type ReadPointsOptions} from '../src/index.ts';
import {fixture, temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();

async function read(text: string, options?: ReadPointsOptions): Promise<{values: number[]; dim: number}> {
  writeFileSync(file('a.csv'), text);
  const {coords, dim} = await readPoints(file('a.csv'), options);
  return {values: [...coords], dim};
}

describe('CSV', () => {
  it.each(['', '.gz'])('reports the bytes of a file: .csv%s', async (packed) => {
    const text = 'x,y\n' + '0.12345678901234567,0.98765432109876543\n'.repeat(100_000);
    const path = file(`large.csv${packed}`);
    const bytes = packed === '' ? Buffer.from(text) : gzipSync(text, {level: 0});
    writeFileSync(path, bytes);
    const reported: number[] = [];
    const onProgress: ReadPointsOptions['onProgress'] = ({phase, done, total}) => {
      expect([phase, total]).toEqual(['read', bytes.length]);
      reported.push(done / total);
    };
    const {coords} = await readPoints(path, {onProgress});
    expect(coords.length).toBe(200_000);
    expect(reported.length).toBeGreaterThan(2);
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
  });

  it.for([
    ['a header', 'x,y\n1,2\n3,4\n'],
    ['no header', '1,2\n3,4\n'],
    ['no newline at the end', 'x,y\n1,2\n3,4'],
    ['CR LF', 'x,y\r\n1,2\r\n3,4\r\n'],
    ['CR', 'x,y\r1,2\r3,4\r'],
    ['CR without one at the end', 'x,y\r1,2\r3,4'],
    ['CR and quotes', '"x","y"\r"1",2\r3,"4"\r'],
    ['CR, blank lines and comments', '\r# by hand\rx,y\r\r1,2\r# half\r3,4\r'],
    ['all three line ends in one file', 'x,y\r1,2\r\n3,4\n'],
    ['semicolons', 'x;y\n1;2\n3;4\n'],
    ['tabs', 'x\ty\n1\t2\n3\t4\n'],
    ['blank lines', '\n\nx,y\n\n1,2\n  \n3,4\n\n'],
    ['comments', '# made by hand\nx,y\n1,2\n# half\n3,4\n'],
    ['a byte order mark', '\uFEFFx,y\n1,2\n3,4\n'],
    ['a byte order mark and no header', '\uFEFF1,2\n3,4\n'],
    ['a byte order mark before a comment', '\uFEFF# made by hand\nx,y\n1,2\n3,4\n'],
    ['a byte order mark before a blank line', '\uFEFF\n1,2\n3,4\n'],
    ['spaces around numbers', 'x, y\n 1 , 2\n3,4 \n'],
    ['a quoted header', '"x","y"\n1,2\n3,4\n'],
    ['quoted numbers', 'x,y\n"1","2"\n3,"4"\n'],
    ['quoted numbers without a header', '"1","2"\n3,"4"\n'],
    ['exponents and signs', 'x,y\n1e0,+2.0\n.3e+1,4000E-3\n'],
  ])('reads %s', async ([, text]) => {
    expect(await read(text)).toEqual({values: [1, 2, 3, 4], dim: 2});
  });

  it('reads a file of numpy.savetxt', async () => {
    expect([...(await readPoints(fixture('savetxt.csv'))).coords]).toEqual([1, 2, 3, 4, 5, 6.5]);
  });

  it('reads float64 by default, float32 on request', async () => {
    writeFileSync(file('p.csv'), '0.1\n');
    expect((await readPoints(file('p.csv'))).coords).toEqual(new Float64Array([0.1]));
    expect((await readPoints(file('p.csv'), {precision: 'float32'})).coords).toEqual(new Float32Array([0.1]));
  });

  it('picks columns by name or number, in the requested order', async () => {
    const text = 'name,lat,lon\nVila,42.5,1.5\nEl Tarter,42.6,1.7\n';
    const expected = {values: [1.5, 42.5, 1.7, 42.6], dim: 2};
    expect(await read(text, {columns: ['lon', 'lat']})).toEqual(expected);
    expect(await read(text, {columns: [2, 1]})).toEqual(expected);
    expect(await read(text, {columns: ['2', 'lat']})).toEqual(expected);
    expect(await read('a,1.5\nb,2\n', {columns: [1]})).toEqual({values: [1.5, 2], dim: 1});
  });

  it('reads quoted text beside the numbers, with delimiters, quotes and line breaks in it', async () => {
    const text = 'name,lat,lon\n"Saint-Denis, ""the"" town",1,2\n"two\nlines",3,4\n';
    expect(await read(text, {columns: ['lat', 'lon']})).toEqual({values: [1, 2, 3, 4], dim: 2});
  });

  it('names the columns that it read', async () => {
    writeFileSync(file('gps.csv'), 'id,lat,lon\n1,2,3\n');
    expect((await readPoints(file('gps.csv'))).columns).toEqual(['id', 'lat', 'lon']);
    expect((await readPoints(file('gps.csv'), {columns: ['lon', 1]})).columns).toEqual(['lon', 'lat']);
    writeFileSync(file('bare.csv'), '1,2,3\n');
    expect((await readPoints(file('bare.csv'), {columns: [2, 0]})).columns).toEqual(['2', '0']);
  });

  it.for([
    ['a header alone', 'x,y\n', 'has no data row after the header (x, y); expected rows of numbers'],
    ['a page of HTML in one line', '<!doctype html><p>Moved</p>', 'has no data row after the header (<!doctype'],
    [
      'a page of HTML in lines',
      '<!doctype html>\n<p>Moved</p>\n',
      'line 2: <!doctype html> = "<p>Moved</p>"; expected',
    ],
    ['a line of JSON', '{"type":"Feature","xy":[1,2]}', 'has no data row after the header ({"type":"Feature", '],
    ['comments alone', '# nothing\r# here\r', 'has no rows; expected rows of numbers'],
  ])('rejects %s, which holds no point', async ([, text, message]) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('shortens long texts from the file in messages', async () => {
    await expect(read(`${'x'.repeat(500)},y\n`)).rejects.toThrow(`(${'x'.repeat(40)}…, y)`);
    const names = Array.from({length: 500}, (_, k) => `c${k}`);
    await expect(read(`${names.join(',')}\n`)).rejects.toThrow('c18, c19, … (500 in all))');
  });

  it('escapes control characters of the file in messages', async () => {
    const failure: unknown = await read('x\u001B]0;title\u0007,\u202Ey\u009B\n1,2\n', {columns: ['z']}).catch(
      (e: unknown) => e,
    );
    expect(String(failure)).toContain(String.raw`expected one of x\x1b]0;title\x07, \u202ey\x9b`);
  });

  it("reads rows that lie across the reader's blocks", async () => {
    const rows = Array.from({length: 150_000}, (_, i) => `${i},${-i / 8}`);
    const {values} = await read(rows.join('\n'));
    expect(values).toHaveLength(300_000);
    expect(values.every((value, k) => value === (k % 2 === 0 ? k / 2 : -(k - 1) / 16))).toBe(true);
  });

  it.for([
    ['x,y\n1,2\n3,four\n', {}, 'a.csv, line 3: y = "four"; expected a finite number'],
    ['x,y\n1,2\n\n# c\n3,\n', {}, 'a.csv, line 5: y = ""; expected a finite number'],
    ['x,y\n1,nan\n', {}, 'line 2: y = "nan"; expected a finite number'],
    ['x,y\n1,inf\n', {}, 'line 2: y = "inf"'],
    ['x,y\n1,1e999\n', {}, 'line 2: y = "1e999"; expected a finite number'],
    ['x,y\n1,0x10\n', {}, 'line 2: y = "0x10"'],
    ['x,y\n1,1 2\n', {}, 'line 2: y = "1 2"'],
    ['1,2\n3,a\n', {}, 'line 2: column 1 = "a"'],
    ['x,y\n"1","b"\n', {}, 'line 2: y = "b"'],
    ['x,y\n1,2\n3\n', {}, 'line 3: has 1 cells; expected 2, as in the first row'],
    ['x,y\n1,2,3\n', {}, 'line 2: has 3 cells; expected 2'],
    ['x,y\n"1",2\n3,"4",5\n', {}, 'line 3: has 3 cells; expected 2'],
    ['x,y\n1,2\n', {columns: ['x', 'z']}, 'a.csv: has no column "z"; expected one of x, y'],
    ['1,2\n', {columns: ['x', 'y']}, 'has no column "x"; expected a number from 0 to 1, as the file has no header'],
    ['x,y\n1,2\n', {columns: [2]}, 'has no column 2; expected one of x, y'],
    ['x,y\n1,2\n', {columns: ['x', 'x']}, 'column x is chosen twice'],
    ['x,y\n1,2\n', {dim: 3}, 'has 2 columns (x, y); expected dim = 3'],
    ['\n \n# nothing\n', {}, 'has no rows; expected rows of numbers'],
    ['', {}, 'a.csv: is empty; expected points'],
    ['x,y\n1,"2\n', {}, 'is malformed'],
    ['x'.repeat(70_000), {}, 'has no end of row in its first 65536 bytes'],
  ] as const)('rejects %j', async ([text, options, message]) => {
    await expect(read(text, options)).rejects.toThrow(message);
  });

  it('rejects UTF-16', async () => {
    writeFileSync(file('wide.csv'), '\uFEFFx,y\n1,2\n', 'utf16le');
    await expect(readPoints(file('wide.csv'))).rejects.toThrow('is UTF-16 text; expected UTF-8');
  });

  it('has the line of an error as a field', async () => {
    await expect(read('x\n1\na\n')).rejects.toMatchObject({code: 'DATASET_FORMAT', line: 3, path: file('a.csv')});
  });
});

describe('CSV round trip', () => {
  it('writes a header and every digit', async () => {
    await writePoints(file('w.csv'), {coords: new Float64Array([0.1, -0, 1e300, 5e-324]), dim: 2});
    expect(readFileSync(file('w.csv'), 'utf8')).toBe('x,y\n0.1,-0\n1e+300,5e-324\n');
    await writePoints(file('w.tsv'), {coords: new Float32Array([1, 2, 3, 4]), dim: 4});
    expect(readFileSync(file('w.tsv'), 'utf8')).toBe('x0\tx1\tx2\tx3\n1\t2\t3\t4\n');
  });

  it('keeps every bit of finite points', async () => {
    const single = fc.float32Array({minLength: 5, maxLength: 40, noNaN: true, noDefaultInfinity: true});
    const double = fc.float64Array({minLength: 5, maxLength: 40, noNaN: true, noDefaultInfinity: true});
    await fc.assert(
      fc.asyncProperty(fc.oneof(single, double), fc.integer({min: 1, max: 5}), async (values, dim) => {
        const points = {coords: values.slice(0, Math.floor(values.length / dim) * dim), dim};
        await writePoints(file('any.csv'), points);
        const precision = values instanceof Float32Array ? 'float32' : 'float64';
        const back = await readPoints(file('any.csv'), {precision});
        expect(Buffer.from(back.coords.buffer)).toEqual(Buffer.from(points.coords.buffer));
      }),
      {numRuns: sizeOfShare(50), seed: SEED},
    );
  });
});

describe('toNumber', () => {
  it('rounds as Number does', () => {
    const text = fc.oneof(
      fc.double({noNaN: true, noDefaultInfinity: true}).map(String),
      fc.tuple(fc.integer(), fc.nat(), fc.integer({min: -40, max: 40})).map(([a, b, e]) => `${a}.${b}e${e}`),
      fc.tuple(fc.maxSafeInteger(), fc.maxSafeNat()).map(([a, b]) => `${a}.${b}`),
    );
    fc.assert(
      fc.property(text, (decimal) => {
        expect(toNumber(decimal)).toBe(Number(decimal));
      }),
      {numRuns: sizeOfShare(2000), seed: SEED},
    );
  });

  it.for(['', ' ', '-', '+', '.', 'e5', '1e', '1e+', '1.2.3', '--1', '1x', 'Infinity', 'NaN', '0x1', '1_0', '١'])(
    'rejects %j',
    (text) => expect(toNumber(text)).toBeNaN(),
  );

  it('reads a long text in linear time', () => {
    const start = process.cpuUsage();
    expect(toNumber(`${'1'.repeat(1_000_000)}x`)).toBeNaN();
    expect(process.cpuUsage(start).user).toBeLessThan(1e6);
  });
});
