// Times frames of the picture of many points on a device, offscreen, as a canvas would get them:
// `node --conditions=@epsball/source scripts/frameTimes.ts [POINTS]`. Default: 1e6 points of `milanesi`.
//
// A frame is timed from the start of recording until the device has finished it, copy into a texture included. Of each
// view one picture is compared with the one of the host before its time is printed.
import {generateDataset} from '@epsball/datasets';
import {dbscan} from '@epsball/dbscan';
import {openGpu, ReadBack, type Gpu} from '@epsball/gpu';
import {viewCoords} from '../src/compute/viewCoords.ts';
import {mapOf, opacityFor, radiusFor, type Box, type Zoom} from '../src/draw/camera.ts';
import {drawOnHost} from '../src/draw/drawOnHost.ts';
import {packColour, paletteOf, SURFACE} from '../src/draw/palette.ts';
import {NO_LABEL, type DrawnPoints, type Picture} from '../src/draw/picture.ts';
import {PointDrawing} from '../src/draw/pointDrawing.ts';

const FRAMES = Number(process.env['FRAMES'] ?? 60);
/** Frames before the timed ones. */
const WARM_UP = Math.min(10, FRAMES);

interface View {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Device pixels of a style pixel. */
  readonly density: number;
  readonly zoom: Zoom;
}

const views: readonly View[] = [
  {name: 'all points, 1400 × 900', width: 1400, height: 900, density: 1, zoom: {k: 1, x: 0, y: 0}},
  {name: 'all points, 1400 × 900 at 2 pixels', width: 1400, height: 900, density: 2, zoom: {k: 1, x: 0, y: 0}},
  {name: 'all points, 390 × 844 at 3 pixels', width: 390, height: 844, density: 3, zoom: {k: 1, x: 0, y: 0}},
  {name: 'all points far away', width: 1400, height: 900, density: 1, zoom: {k: 0.5, x: 350, y: 225}},
  {name: 'zoomed in 8 times', width: 1400, height: 900, density: 2, zoom: {k: 8, x: -4000, y: -1500}},
];

const n = Number(process.argv[2] ?? 1e6);
if (!Number.isInteger(n) || n < 1) throw new Error(`POINTS = ${process.argv[2]}; expected an integer ≥ 1`);
const points = generateDataset(`milanesi:n=${n}`);
const gpu = await openGpu();
const {labels, clusterCount} = await dbscan(points, {eps: 0.03, minPts: 8, gpu});
const {coords, box} = viewCoords(points);
const drawn: DrawnPoints = {coords, labels};
const palette = paletteOf('dark');
const drawing = await PointDrawing.create(gpu, true);
drawing.setPalette(palette);
drawing.setPoints(drawn);
print(`${gpu.info.description || gpu.info.device}, ${n} points, ${clusterCount} clusters, ${FRAMES} frames a view`);
print('view | median ms | 95th percentile | longest | device median | different from the host');
for (const view of views) print(await timeView(gpu, view, box));
drawing.destroy();
gpu.destroy();

async function timeView({device, hasTimestamps}: Gpu, view: View, fitted: Box): Promise<string> {
  const [width, height] = [view.width * view.density, view.height * view.density];
  const usage = GPUTextureUsage.COPY_DST | GPUTextureUsage.RENDER_ATTACHMENT;
  const texture = device.createTexture({label: 'frame', size: [width, height], format: 'bgra8unorm', usage});
  const times: number[] = [];
  for (let frame = -WARM_UP; frame < FRAMES; frame++) {
    const startedAt = performance.now();
    const encoder = device.createCommandEncoder();
    // The view moves, so that no frame repeats the one before.
    const image = drawing.encode(encoder, pictureOf(view, fitted, frame / 4));
    encoder.copyBufferToTexture(image, {texture}, [width, height]);
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
    if (frame >= 0) times.push(performance.now() - startedAt);
  }
  const deviceMs = hasTimestamps ? await deviceTime(view, fitted) : NaN;
  const away = await difference(view, fitted);
  texture.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): string => times[Math.min(FRAMES - 1, Math.floor(share * FRAMES))].toFixed(2);
  return [view.name, at(0.5), at(0.95), at(1), deviceMs.toFixed(2), away].join(' | ');
}

function pictureOf({width, height, density, zoom}: View, fitted: Box, pan: number): Picture {
  return {
    ...mapOf(fitted, {...zoom, x: zoom.x + pan}, width, height, density),
    width: width * density,
    height: height * density,
    radius: density * radiusFor(n, zoom.k),
    opacity: opacityFor(n, zoom.k),
    background: packColour(SURFACE.dark),
    step: 1,
    selected: NO_LABEL,
  };
}

/** Milliseconds of both kernels by timestamps, the median of 15 frames. */
async function deviceTime(view: View, fitted: Box): Promise<number> {
  const {device} = gpu;
  const querySet = device.createQuerySet({type: 'timestamp', count: 2});
  const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
  const resolved = device.createBuffer({label: 'timestamps', size: 16, usage});
  using reader = new ReadBack(gpu, 'timestamps');
  const times: number[] = [];
  for (let frame = 0; frame < 15; frame++) {
    const encoder = device.createCommandEncoder();
    const timestampWrites = {querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1};
    drawing.encode(encoder, pictureOf(view, fitted, frame), {label: 'picture', timestampWrites});
    encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
    device.queue.submit([encoder.finish()]);
    const stamps = new BigInt64Array(2);
    await reader.read(resolved, stamps);
    times.push(Number(stamps[1] - stamps[0]) / 1e6);
  }
  resolved.destroy();
  querySet.destroy();
  return times.sort((a, b) => a - b)[7];
}

/** How far the picture is from that of the host: the largest difference of a component, and the mean. */
async function difference(view: View, fitted: Box): Promise<string> {
  const picture = pictureOf(view, fitted, 0);
  const encoder = gpu.device.createCommandEncoder();
  const {buffer, bytesPerRow} = drawing.encode(encoder, picture);
  gpu.device.queue.submit([encoder.finish()]);
  const rows = new Uint8Array(bytesPerRow * picture.height);
  using reader = new ReadBack(gpu, 'picture');
  await reader.read(buffer, rows);
  const host = drawOnHost(drawn, palette, picture);
  let [most, sum] = [0, 0];
  for (let pixel = 0; pixel < picture.width * picture.height; pixel++) {
    const row = Math.floor(pixel / picture.width) * bytesPerRow + 4 * (pixel % picture.width);
    for (let c = 0; c < 3; c++) {
      // The device's picture begins with blue.
      const away = Math.abs(rows[row + 2 - c] - host[4 * pixel + c]);
      most = Math.max(most, away);
      sum += away;
    }
  }
  return `${most} at most, ${(sum / (3 * picture.width * picture.height)).toFixed(4)} on average`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
