import {afterAll, beforeAll, expect, it} from 'vitest';
import {generateDataset} from '@epsball/datasets';
import {openGpu, ReadBack, type Gpu} from '@epsball/gpu';
import {describeGpu} from '@epsball/gpu/testing';
import {mapOf, NO_ZOOM, type Zoom} from '../src/draw/camera.ts';
import {drawOnHost} from '../src/draw/drawOnHost.ts';
import {packColour, paletteOf, SURFACE} from '../src/draw/palette.ts';
import {NO_LABEL, type DrawnPoints, type Picture} from '../src/draw/picture.ts';
import {PointDrawing} from '../src/draw/pointDrawing.ts';

const {coords, dim} = generateDataset('varied:n=20000');
const n = coords.length / dim;
const labels = Int32Array.from({length: n}, (_, i) => (i % 7) - 2);
const points: DrawnPoints = {coords: Float32Array.from(coords), labels};
const box = {min: [-3, -3], max: [3, 3]} as const;
const palette = paletteOf('dark');

function pictureOf(changes: Partial<Picture> = {}, zoom: Zoom = NO_ZOOM): Picture {
  const [width, height] = [changes.width ?? 203, changes.height ?? 151];
  return {
    ...mapOf(box, zoom, width, height, 1),
    width,
    height,
    radius: 0.8,
    opacity: 0.5,
    background: packColour(SURFACE.dark),
    step: 1,
    selected: NO_LABEL,
    ...changes,
  };
}

describeGpu('a picture on a device', () => {
  let gpu: Gpu;
  let drawing: PointDrawing;
  let reader: ReadBack;

  beforeAll(async () => {
    gpu = await openGpu();
    drawing = await PointDrawing.create(gpu, false);
    drawing.setPalette(palette);
    drawing.setPoints(points);
    reader = new ReadBack(gpu, 'test');
  });
  afterAll(() => {
    for (const owned of [reader, drawing, gpu]) owned.destroy();
  });

  async function drawOnDevice(picture: Picture, on: PointDrawing = drawing): Promise<Uint8ClampedArray> {
    const encoder = gpu.device.createCommandEncoder();
    const {buffer, bytesPerRow} = on.encode(encoder, picture);
    gpu.device.queue.submit([encoder.finish()]);
    const rows = new Uint8Array(bytesPerRow * picture.height);
    await reader.read(buffer, rows);
    const bytes = new Uint8ClampedArray(4 * picture.width * picture.height);
    for (let y = 0; y < picture.height; y++) {
      bytes.set(rows.subarray(y * bytesPerRow, y * bytesPerRow + 4 * picture.width), 4 * y * picture.width);
    }
    return bytes;
  }

  it.for([
    ['the whole', pictureOf()],
    ['a zoomed part', pictureOf({radius: 4.3}, {k: 9, x: -700, y: -500})],
    ['one cluster', pictureOf({selected: 3})],
    ['every fifth point', pictureOf({step: 5})],
    ['a larger one', pictureOf({width: 640, height: 333, radius: 1.5})],
  ] as const)('equals the one of the host: %s', async ([, picture]) => {
    const [device, host] = [await drawOnDevice(picture), drawOnHost(points, palette, picture)];
    let [farthest, sum] = [0, 0];
    for (let k = 0; k < host.length; k++) {
      const away = Math.abs(device[k] - host[k]);
      farthest = Math.max(farthest, away);
      sum += away;
    }
    // A float32 position may round a pixel's coverage by 2^-10, and a level more or less is one of 1024.
    expect(farthest).toBeLessThanOrEqual(3);
    expect(sum / host.length).toBeLessThan(0.1);
    expect(new Set(host).size).toBeGreaterThan(20);
  });

  it('leaves no trace in the next one', async () => {
    const first = await drawOnDevice(pictureOf());
    await drawOnDevice(pictureOf({}, {k: 3, x: 20, y: 30}));
    expect(await drawOnDevice(pictureOf())).toEqual(first);
  });

  it('is the background alone without points', async () => {
    using empty = await PointDrawing.create(gpu, true);
    empty.setPalette(palette);
    const bytes = await drawOnDevice(pictureOf({width: 5, height: 3}), empty);
    // Blue comes first.
    expect(bytes.slice(0, 4)).toEqual(Uint8ClampedArray.of(0x1b, 0x16, 0x14, 0xff));
  });
});
