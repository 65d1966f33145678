import {InvalidPointsError, validatePoints} from '@epsball/clustering';
import {Kernel, ParamRing, ReadBack, Scratch, Owner, type Gpu} from '@epsball/gpu';
import type {PointBounds} from '../bounds.ts';
import {boundsWgsl} from './bounds.wgsl.ts';
import type {DevicePoints} from './devicePoints.ts';

/** Boxes that the host combines: enough workgroups to fill a large GPU. */
const MAX_GROUPS = 256;

type BeginPass = (encoder: GPUCommandEncoder) => GPUComputePassEncoder;

/** Bounding box of points on the device: a hierarchical reduction, with the last level on the host (Milanesi, §3.1). */
export class BoundsReduction extends Owner {
  readonly #gpu: Gpu;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #readBack: ReadBack;

  constructor(gpu: Gpu) {
    super();
    this.#gpu = gpu;
    this.#params = this.own(new ParamRing(gpu, 'spatial-grid/bounds.params', 4));
    this.#scratch = this.own(new Scratch(gpu, 'spatial-grid/bounds'));
    this.#readBack = this.own(new ReadBack(gpu, 'spatial-grid/bounds'));
  }

  /**
   * The bounding box: already known, on its way from the device, or computed by one pass, for which it waits.
   *
   * @throws InvalidPointsError  if a coordinate is NaN or infinite: in the order of words these appear in the box
   */
  async of(points: DevicePoints, beginPass: BeginPass): Promise<PointBounds> {
    const {bounds, comingBounds} = points;
    return bounds ?? comingBounds ?? this.#run(points, beginPass);
  }

  async #run(points: DevicePoints, beginPass: BeginPass): Promise<PointBounds> {
    const record = await this.prepare(points, beginPass);
    const encoder = this.#gpu.device.createCommandEncoder();
    const ask = record(encoder);
    this.#gpu.device.queue.submit([encoder.finish()]);
    return ask();
  }

  /** Returns a function that records the pass and the read-back; it returns one that waits, for after the submit. */
  async prepare(
    points: DevicePoints,
    beginPass: BeginPass,
  ): Promise<(encoder: GPUCommandEncoder) => () => Promise<PointBounds>> {
    const {n, dim, coords} = points;
    const groups = Math.min(MAX_GROUPS, Math.max(1, Math.ceil(n / 1024)));
    const bytes = 8 * dim * groups;
    const boxes = this.#scratch.take('boxes', bytes);
    const kernel = await Kernel.create(this.#gpu, boundsWgsl, 'computeBounds', {DIM: dim});
    const params = this.#params.write(boundsWgsl.structs.BoundsParams, {n, groups});
    return (encoder) => {
      const pass = beginPass(encoder);
      kernel.dispatch(pass, kernel.bind({coords, boxes, params}), [groups, 1, 1]);
      pass.end();
      const ask = this.#readBack.encode(encoder, [{source: boxes, bytes}]);
      return async () => finite(points, await ask().take((memory) => combineBoxes(new Uint32Array(memory), dim)));
    };
  }
}

/** @throws InvalidPointsError  if the box is not finite; names the first non-finite point */
function finite(points: DevicePoints, bounds: PointBounds): PointBounds {
  if (bounds.min.every(Number.isFinite) && bounds.max.every(Number.isFinite)) return bounds;
  if (points.unchecked !== undefined) validatePoints(points.unchecked);
  throw new InvalidPointsError('points on the device contain NaN or infinity; expected finite coordinates');
}

function combineBoxes(words: Uint32Array, dim: number): PointBounds {
  const lows = new Uint32Array(dim).fill(0xffffffff);
  const highs = new Uint32Array(dim);
  for (let k = 0; k < words.length; k += 2) {
    const d = (k / 2) % dim;
    lows[d] = Math.min(lows[d], words[k]);
    highs[d] = Math.max(highs[d], words[k + 1]);
  }
  return {min: Float64Array.from(lows, fromOrdered), max: Float64Array.from(highs, fromOrdered)};
}

/** Inverse of `ordered` in bounds.wgsl. */
function fromOrdered(word: number): number {
  const bits = word >= 0x80000000 ? word ^ 0x80000000 : ~word;
  return new Float32Array(Uint32Array.of(bits).buffer)[0];
}
