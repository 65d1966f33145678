import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openGpu, ReadBack} from '@epsball/gpu';
import {describeGpu} from '@epsball/gpu/testing';
import {createMeanShiftGpu} from '@epsball/mean-shift/gpu';
import {encode} from 'fast-png';
import sharp from 'sharp';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {readPicture, writePicture} from '../src/segment/imageFile.ts';
import {labOfRgb, rgbOfLab} from '../src/segment/lab.ts';
import {PixelPoints} from '../src/segment/pixelPoints.ts';
import {paintSegments, pointsOfPicture} from '../src/segment/pixels.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-picture-'));
});
afterAll(() => rmSync(folder, {recursive: true}));

describe('pictures', () => {
  it('of JPEG whose header claims more than there is are broken; what cameras add is not', async () => {
    const samples = Uint8Array.from({length: 3 * 12 * 9}, (_, k) => (k * 37) % 256);
    const jpeg = await sharp(samples, {raw: {width: 12, height: 9, channels: 3}})
      .jpeg()
      .toBuffer();
    const file = join(folder, 'camera.jpg');
    // Bytes behind the end, as cameras write, and before a marker.
    const frame = jpeg.indexOf(Buffer.of(0xff, 0xc0));
    const extra = Buffer.of(1, 2, 3);
    writeFileSync(file, Buffer.concat([jpeg.subarray(0, frame), extra, jpeg.subarray(frame), extra]));
    expect(await readPicture(file)).toMatchObject({width: 12, height: 9});
    jpeg.writeUInt16BE(1000, frame + 5);
    jpeg.writeUInt16BE(1000, frame + 7);
    writeFileSync(file, jpeg);
    await expect(readPicture(file)).rejects.toThrow('camera.jpg: is a broken picture (');
  });

  it('are read in every depth, grey or with a palette, with their opacity', async () => {
    const write = (name: string, png: Parameters<typeof encode>[0]): void =>
      writeFileSync(join(folder, name), encode(png));
    write('grey16.png', {width: 2, height: 1, data: Uint16Array.of(0x1234, 0xffff), depth: 16, channels: 1});
    write('greyAlpha.png', {width: 1, height: 1, data: Uint8Array.of(7, 9), depth: 8, channels: 2});
    write('bits.png', {width: 9, height: 1, data: Uint8Array.of(0b10110000, 0b10000000), depth: 1, channels: 1});
    expect(await readPicture(join(folder, 'grey16.png'))).toMatchObject({
      rgb: Uint8Array.of(18, 18, 18, 255, 255, 255),
    });
    expect(await readPicture(join(folder, 'greyAlpha.png'))).toMatchObject({
      rgb: Uint8Array.of(7, 7, 7),
      alpha: Uint8Array.of(9),
    });
    const {rgb} = await readPicture(join(folder, 'bits.png'));
    expect(rgb.filter((_, k) => k % 3 === 0)).toEqual(Uint8Array.of(255, 0, 255, 255, 0, 0, 0, 0, 255));
    await writePicture(join(folder, 'rgba.png'), {
      width: 1,
      height: 1,
      rgb: Uint8Array.of(1, 2, 3),
      alpha: Uint8Array.of(4),
    });
    expect(await readPicture(join(folder, 'rgba.png'))).toMatchObject({
      rgb: Uint8Array.of(1, 2, 3),
      alpha: Uint8Array.of(4),
    });
  });

  it('are JPEG by their bytes, not by their name', async () => {
    const raw = {width: 8, height: 8, channels: 3} as const;
    const jpeg = await sharp(new Uint8Array(192).fill(200), {raw}).jpeg().toBuffer();
    writeFileSync(join(folder, 'named.png'), jpeg);
    expect(await readPicture(join(folder, 'named.png'))).toMatchObject({width: 8, height: 8});
  });

  it('are turned as their orientation says', async () => {
    const raw = {width: 2, height: 1, channels: 3} as const;
    const turned = sharp(Uint8Array.of(1, 2, 3, 4, 5, 6), {raw})
      .png()
      .withMetadata({orientation: 6});
    writeFileSync(join(folder, 'turned.png'), await turned.toBuffer());
    expect(await readPicture(join(folder, 'turned.png'))).toMatchObject({
      width: 1,
      height: 2,
      rgb: Uint8Array.of(1, 2, 3, 4, 5, 6),
    });
  });

  it('are converted to the L*a*b* of the standard and back', () => {
    const lab = new Float64Array(3);
    const of = (...rgb: number[]): number[] => {
      labOfRgb(Uint8Array.from(rgb), 0, lab);
      return [...lab].map((x) => Math.round(x * 10) / 10 + 0);
    };
    expect(of(255, 255, 255)).toEqual([100, 0, 0]);
    expect(of(0, 0, 0)).toEqual([0, 0, 0]);
    expect(of(255, 0, 0)).toEqual([53.2, 80.1, 67.2]);
    expect(of(0, 0, 255)).toEqual([32.3, 79.2, -107.9]);
    for (let k = 0; k < 4096; k += 7) {
      const rgb = Uint8Array.of(17 * (k >> 8), 17 * ((k >> 4) & 15), 17 * (k & 15));
      labOfRgb(rgb, 0, lab);
      const back = new Uint8Array(3);
      rgbOfLab(lab[0], lab[1], lab[2], back, 0);
      expect(back).toEqual(rgb);
    }
  });

  it('are painted with the colour of the mode, or the mean of the pixels', () => {
    const picture = {width: 2, height: 1, rgb: Uint8Array.of(100, 100, 100, 200, 200, 200)};
    const scale = {spatialBandwidth: 4, colorBandwidth: 10};
    const white = Float64Array.of(0, 0, 10, 0, 0);
    const segments = {labels: Int32Array.of(0, 0), clusterCenters: white};
    expect([...paintSegments(picture, segments, scale, 'mode').rgb]).toEqual([255, 255, 255, 255, 255, 255]);
    const [grey] = paintSegments(picture, segments, scale, 'mean').rgb;
    expect(grey).toBeGreaterThan(145);
    expect(grey).toBeLessThan(155);
  });
});

describeGpu('pixels on a GPU', () => {
  it('makes points of pixels and paints them as the host does', async () => {
    const gpu = await openGpu();
    try {
      using pixels = await PixelPoints.create(gpu);
      using reader = new ReadBack(gpu, 'test');
      // An odd number of pixels: their bytes end within a word.
      const picture = {width: 7, height: 9, rgb: Uint8Array.from({length: 189}, (_, k) => (k * 73) % 256)};
      const scale = {spatialBandwidth: 3, colorBandwidth: 5};
      const {coords} = pointsOfPicture(picture, scale);
      const points = pixels.of(picture, scale);
      const vectors = gpu.createBuffer('test/vectors', 32 * 63, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
      const center = Float64Array.of(1, 2, 3, 4, 5);
      await gpu.guard('test', async () => points.write(vectors.buffer, {center, factor: 0.5, blocks: 2}));
      const words = new Float32Array(8 * 63);
      await reader.read(vectors.buffer, words);
      vectors.destroy();
      coords.forEach((x, k) => {
        const [i, d] = [Math.floor(k / 5), k % 5];
        expect(words[8 * i + d]).toBeCloseTo((x - center[d]) * 0.5, 4);
        expect(x).toBeGreaterThanOrEqual(points.bounds.min[d]);
        expect(x).toBeLessThanOrEqual(points.bounds.max[d]);
      });
      // Painted on the device as on the host.
      using meanShift = await createMeanShiftGpu(gpu);
      const params = {bandwidth: 1, kernel: 'flat', assignment: 'mode'} as const;
      const segments = await meanShift.label(points, params);
      let rgb = new Uint8Array(0);
      const onDevice = pixels.of(picture, scale, (colors) => {
        rgb = Uint8Array.from(colors);
      });
      const taken = await meanShift.label(onDevice, params);
      expect(taken.labels.length).toBe(0);
      expect(taken.clusterCenters).toEqual(segments.clusterCenters);
      expect(rgb).toEqual(paintSegments(picture, segments, scale, 'mode').rgb);
    } finally {
      gpu.destroy();
    }
  });
});
