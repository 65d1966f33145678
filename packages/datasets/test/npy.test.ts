import {readFileSync, truncateSync, writeFileSync} from 'node:fs';
import {SEED, sizeOfShare} from '@epsball/conformance/share';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {DatasetFormatError, readLabels, readPoints, writeLabels, writePoints} from '../src/index.ts';
import {fixture, temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();

describe('NPY files of numpy', () => {
  it('report no progress for their heads', async () => {
    await writePoints(file('large.npy'), {coords: new Float32Array(1e5), dim: 2});
    const reported: number[] = [];
    await readPoints(file('large.npy'), {onProgress: ({done}) => reported.push(done)});
    expect(reported).toEqual([]);
  });

  it.for([
    ['cle-f4.npy', Float32Array, 6.5],
    ['cle-f8.npy', Float64Array, 6.5],
    ['cbe-f4.npy', Float32Array, 6.5],
    ['cbe-f8.npy', Float64Array, 6.5],
    ['fortran-f4.npy', Float32Array, 6.5],
    ['fortran-be-f8.npy', Float64Array, 6.5],
    ['version2.npy', Float32Array, 6.5],
    ['version3.npy', Float32Array, 6.5],
    ['ci1.npy', Float32Array, 6],
    ['cu1.npy', Float32Array, 6],
    ['cle-i2.npy', Float32Array, 6],
    ['cbe-i2.npy', Float32Array, 6],
    ['cle-u2.npy', Float32Array, 6],
    ['cle-i4.npy', Float64Array, 6],
    ['cbe-i4.npy', Float64Array, 6],
    ['cle-u4.npy', Float64Array, 6],
    ['cle-i8.npy', Float64Array, 6],
    ['cle-u8.npy', Float64Array, 6],
    ['cbe-u8.npy', Float64Array, 6],
  ] as const)('reads %s', async ([name, type, last]) => {
    const points = await readPoints(fixture(name));
    expect(points.dim).toBe(2);
    expect(points.coords).toEqual(type.from([1, 2, 3, 4, 5, last]));
  });

  it('reads a vector with the dimension given', async () => {
    const points = await readPoints(fixture('vector-f4.npy'), {dim: 3});
    expect(points).toEqual({coords: new Float32Array([1, 2, 3, 4, 5, 6.5]), dim: 3});
  });

  it('reads an array of no points', async () => {
    expect(await readPoints(fixture('no-points.npy'))).toEqual({coords: new Float32Array(0), dim: 2});
  });

  it('converts to the requested precision', async () => {
    expect((await readPoints(fixture('cle-f8.npy'), {precision: 'float32'})).coords).toBeInstanceOf(Float32Array);
    expect((await readPoints(fixture('cle-f4.npy'), {precision: 'float64'})).coords).toBeInstanceOf(Float64Array);
  });

  it.for([
    ['cube-f4.npy', 'has shape (2, 3, 4); expected (n, dim)'],
    ['scalar-f8.npy', 'has shape (); expected (n, dim)'],
    ['no-axes.npy', 'has shape (3, 0); expected (n, dim)'],
    ['vector-f4.npy', 'has shape (6,); expected (n, dim), or a given dim'],
    ['bool.npy', 'has dtype |b1; expected float32, float64 or an integer type'],
    ['complex.npy', 'has dtype <c8; expected'],
    ['structured.npy', 'has dtype […] (structured); expected'],
    ['text.npy', 'has dtype <U1; expected'],
    ['beyond-2-53.npy', 'value 3 = 9007199254740993; expected integers below 2^53 in magnitude'],
  ])('rejects %s', async ([name, message]) => {
    await expect(readPoints(fixture(name))).rejects.toThrow(`${name}: ${message}`);
  });

  it('rejects an array of another dimension than requested', async () => {
    await expect(readPoints(fixture('cle-f4.npy'), {dim: 3})).rejects.toThrow('has shape (3, 2); expected (n, 3)');
    await expect(readPoints(fixture('vector-f4.npy'), {dim: 4})).rejects.toThrow('expected a multiple of dim = 4');
  });
});

describe('damaged NPY files', () => {
  const whole = readFileSync(fixture('cle-f4.npy'));

  it('reports what a truncated file lacks', async () => {
    const path = file('cut.npy');
    for (let length = 1; length < whole.length; length++) {
      writeFileSync(path, whole);
      truncateSync(path, length);
      await expect(readPoints(path), `cut to ${length}`).rejects.toThrow(
        /cut\.npy: (is truncated|is not an NPY|is NPY version undefined)/,
      );
    }
  });

  it('rejects bytes after the array', async () => {
    writeFileSync(file('long.npy'), Buffer.concat([whole, Buffer.from('x')]));
    await expect(readPoints(file('long.npy'))).rejects.toThrow('has 153 bytes; expected 152, with nothing after');
  });

  it('rejects a file that is not NPY, is of a later version, or with a malformed header', async () => {
    writeFileSync(file('no.npy'), 'x,y\n1,2\n3,4\n');
    await expect(readPoints(file('no.npy'))).rejects.toThrow('is not an NPY file');
    const later = Buffer.from(whole);
    later[6] = 4;
    writeFileSync(file('later.npy'), later);
    await expect(readPoints(file('later.npy'))).rejects.toThrow('is NPY version 4; expected 1, 2 or 3');
    const malformed = Buffer.from(whole);
    malformed.write('shope', whole.indexOf('shape'));
    writeFileSync(file('malformed.npy'), malformed);
    await expect(readPoints(file('malformed.npy'))).rejects.toThrow('has a malformed NPY header');
  });
});

describe('NPY round trip', () => {
  it('writes the same bytes as numpy', async () => {
    for (const name of ['cle-f4.npy', 'cle-f8.npy']) {
      await writePoints(file(name), await readPoints(fixture(name)));
      expect(readFileSync(file(name))).toEqual(readFileSync(fixture(name)));
    }
  });

  it('keeps every bit of any points', async () => {
    const coords = fc.oneof(fc.float32Array({maxLength: 60}), fc.float64Array({maxLength: 60}));
    await fc.assert(
      fc.asyncProperty(coords, fc.integer({min: 1, max: 5}), async (values, dim) => {
        const points = {coords: values.slice(0, Math.floor(values.length / dim) * dim), dim};
        await writePoints(file('any.npy'), points);
        const read = await readPoints(file('any.npy'));
        expect(read.dim).toBe(dim);
        expect(Buffer.from(read.coords.buffer)).toEqual(Buffer.from(points.coords.buffer));
        expect(read.coords.constructor).toBe(points.coords.constructor);
      }),
      {numRuns: sizeOfShare(50), seed: SEED},
    );
  });

  it('writes coordinates on shared memory and views', async () => {
    const shared = new Float32Array(new SharedArrayBuffer(24)).subarray(2);
    shared.set([1, 2, 3, 4]);
    await writePoints(file('shared.npy'), {coords: shared, dim: 2});
    expect([...(await readPoints(file('shared.npy'))).coords]).toEqual([1, 2, 3, 4]);
  });
});

describe('labels in NPY', () => {
  it('are written as an int32 vector and read back', async () => {
    const labels = new Int32Array([-1, 0, 2147483647, -2147483648]);
    await writeLabels(file('labels.npy'), labels);
    expect(readFileSync(file('labels.npy')).toString('latin1')).toContain(
      "{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }",
    );
    expect(await readLabels(file('labels.npy'))).toEqual(labels);
  });

  it("are read from numpy's int64", async () => {
    expect(await readLabels(fixture('labels-i8.npy'))).toEqual(new Int32Array([0, -1, 5]));
  });

  it('reject arrays that are not labels', async () => {
    await expect(readLabels(fixture('labels-too-large.npy'))).rejects.toThrow(
      'label 1 = 2147483648; expected a 32-bit integer',
    );
    await expect(readLabels(fixture('cle-i4.npy'))).rejects.toThrow('has shape (3, 2); expected labels, (n,)');
    await expect(readLabels(fixture('vector-f4.npy'))).rejects.toThrow('holds floats; expected integer labels');
    await expect(readLabels('labels.csv')).rejects.toThrow(DatasetFormatError);
  });
});
