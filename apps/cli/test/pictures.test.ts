import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import sharp, {type Sharp} from 'sharp';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {readPicture} from '../src/segment/imageFile.ts';
import {describeSegments} from '../src/segment/segmentReport.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-pictures-'));
});
afterAll(() => rmSync(folder, {recursive: true}));

/** Two rows of three pixels. */
const RGB = Uint8Array.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 128, 128, 128]);

function written(name: string, bytes: Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

const picture = (): Sharp => sharp(RGB, {raw: {width: 3, height: 2, channels: 3}});

describe('readPicture', () => {
  it.for<[string, () => Promise<Buffer>, tolerance: number]>([
    ['PNG of 16 bits', () => picture().toColourspace('rgb16').png().toBuffer(), 0],
    ['WebP', () => picture().webp({lossless: true}).toBuffer(), 0],
    ['AVIF', () => picture().avif({lossless: true, chromaSubsampling: '4:4:4'}).toBuffer(), 2],
    ['GIF', () => picture().gif().toBuffer(), 0],
    ['TIFF', () => picture().tiff({compression: 'lzw'}).toBuffer(), 0],
    ['TIFF of 16 bits', () => picture().toColourspace('rgb16').tiff({compression: 'none'}).toBuffer(), 0],
  ])('reads %s, whatever its name', async ([, encode, tolerance]) => {
    const read = await readPicture(written('a.png', await encode()));
    expect([read.width, read.height, read.frames]).toEqual([3, 2, undefined]);
    for (const [k, value] of RGB.entries()) expect(Math.abs(read.rgb[k] - value)).toBeLessThanOrEqual(tolerance);
  });

  it('reads the first of several frames, and the summary says so', async () => {
    const frame = (level: number): Buffer => Buffer.alloc(48, level);
    const frames = {raw: {width: 4, height: 12, channels: 3, pageHeight: 4}} as const;
    const bytes = await sharp(Buffer.concat([frame(255), frame(128), frame(0)]), frames)
      .gif({loop: 0})
      .toBuffer();
    const read = await readPicture(written('a.gif', bytes));
    expect([read.width, read.height, read.frames, ...new Set(read.rgb)]).toEqual([4, 4, 3, 255]);
    const ms = {read: 1, open: 1, segment: 1, phases: {}, device: null, write: 1, total: 1};
    const of = {spatialBandwidth: 1, colorBandwidth: 1, segments: 1, iterations: 1, shifts: 16, adapter: null};
    const report = {input: 'a.gif', width: 4, height: 4, frames: 3, ...of, backend: 'workers', deviceBytes: null, ms};
    expect(describeSegments({...report, out: 'b.png'})).toContain('4 × 4 pixels (a.gif), the first of 3 frames\n');
  });

  it.for<[string, Uint8Array, string]>([
    [
      'HEIC',
      Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'),
      'is HEIC; expected PNG, JPEG, WebP, AVIF, GIF or TIFF',
    ],
    ['text', Buffer.from('no picture'), 'is not a picture; expected PNG, JPEG, WebP, AVIF, GIF or TIFF'],
    ['a broken WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), 'is a broken picture ('],
  ])('refuses %s', async ([, bytes, message]) => {
    await expect(readPicture(written('a.webp', bytes))).rejects.toThrow(message);
  });
});
