// Usage: tiles.ts [N [REPEATS]]. Times ten iterations of the shift of N points (default 100,000) on the GPU that
// EPSBALL_ADAPTER names, for each tile width, number of points a lane, unrolling, kind of exponent and number of floats
// a coordinate. Prints the best and the median of the repeats, in device milliseconds if the adapter has timestamps,
// else in host milliseconds, and the largest difference of the first positions from float64's.
import {generateDataset} from '@epsball/datasets';
import {GpuLimitError} from '@epsball/clustering';
import {openGpu} from '@epsball/gpu';
import {createShiftSequential} from '@epsball/mean-shift';
import type {ShiftGpuOptions} from '@epsball/mean-shift/gpu';
import {createShiftPipeline, type ShiftTuning} from '../src/gpu/shift/shiftPipeline.ts';

/** One shape of the kernels. */
type Shape = ShiftGpuOptions & ShiftTuning;

const BANDWIDTH = 2;
const SAMPLE = 20;

const n = Number(process.argv[2] ?? 100_000);
const repeats = Number(process.argv[3] ?? 5);

const points = generateDataset(`gaussians3d:seed=1,n=${n}`);
const gpu = await openGpu();
const seeds = {coords: points.coords.slice(0, 3 * Math.min(n, SAMPLE)), dim: 3};
const reference = createShiftSequential();
const expected = (await reference.shift(points, {bandwidth: BANDWIDTH}, {seeds})).shifted;

print(`${gpu.info.description || gpu.info.device}; ${n} points, 10 iterations; best (median) of ${repeats}, in ms`);
for (const options of shapes()) await time(options);
gpu.destroy();

function* shapes(): Generator<Shape> {
  yield {method: 'naive'};
  yield {method: 'naive', floatsPerCoordinate: 2};
  for (const tileWidth of [16, 32, 64, 128, 256, 512, 1024]) {
    for (const pointsPerLane of [1, 2, 4] as const) {
      for (const unrolled of [1, 2, 4] as const) yield {method: 'tiled', tileWidth, pointsPerLane, unrolled};
    }
    yield {method: 'tiled', tileWidth, exponent: 'differences'};
  }
  yield {method: 'tiled', floatsPerCoordinate: 2};
}

async function time(options: Shape): Promise<void> {
  try {
    using algorithm = await createShiftPipeline(gpu, options, options);
    const times: number[] = [];
    let difference = 0;
    // The first run compiles.
    for (let run = 0; run <= repeats; run++) {
      const {shifted, stats} = await algorithm.shift(points, {bandwidth: BANDWIDTH});
      if (run > 0) times.push(stats.deviceMs ?? stats.wallMs);
      else expected.forEach((x, k) => (difference = Math.max(difference, Math.abs(x - shifted[k]))));
    }
    const sorted = times.toSorted((a, b) => a - b);
    const [best, median] = [sorted[0], sorted[sorted.length >> 1]].map((ms) => ms.toFixed(2));
    print(`${nameOf(options)}  ${best} (${median})  ${(difference / BANDWIDTH).toExponential(1)} bandwidths off`);
  } catch (error) {
    if (!(error instanceof GpuLimitError)) throw error;
    print(`${nameOf(options)}  ${error.message}`);
  }
}

function nameOf(options: Shape): string {
  return Object.entries(options)
    .map(([name, value]) => (name === 'method' ? String(value) : `${name} ${value}`))
    .join(', ');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
