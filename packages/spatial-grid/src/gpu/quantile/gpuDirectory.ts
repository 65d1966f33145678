import {InvalidParameterError} from '@epsball/clustering';
import {
  createAll,
  Kernel,
  packStruct,
  ParamRing,
  Scratch,
  Uploader,
  type Bindable,
  type Encode,
  type Gpu,
  Owner,
} from '@epsball/gpu';
import {Gather, RadixSort} from '@epsball/gpu-primitives';
import type {Projection} from '../../quantile/projection.ts';
import {
  directoryShape,
  leafStarts,
  levelStart,
  type DirectoryShape,
  type DirectoryShapeOptions,
} from '../../quantile/shape.ts';
import type {DevicePoints} from '../devicePoints.ts';
import {directoryStructs} from './directory.wgsl.ts';
import {directoryLimit2, projectionErrors} from './directoryLimit.ts';
import {levelsWgsl} from './levels.wgsl.ts';

const {DirectoryParams} = directoryStructs;

/** Bindings, by name, of a kernel that imports `spatial_grid::gpu::quantile::directory`. */
export interface DirectoryBindings {
  readonly directory: Bindable;
  readonly nodes: GPUBuffer;
  readonly directoryKeys: GPUBuffer;
}

/** A directory in device memory, owned by its builder and valid until the next build. */
export interface GpuDirectory extends DirectoryShape {
  readonly n: number;
  readonly bindings: DirectoryBindings;
  readonly pointOrder: GPUBuffer;
  /** `coords` and `wideCoords` by position, point-major. */
  readonly sortedCoords: GPUBuffer;
  readonly sortedWideCoords?: GPUBuffer | undefined;
}

export interface GpuDirectoryOptions extends DirectoryShapeOptions {
  /** Orders the points in place of the coordinates: `projectPoints` of the caller's points, one column a level. */
  readonly projection?: Projection | undefined;
  /** Awaited behind each part of the build that was submitted, from 0 to 1. */
  readonly onPart?: ((part: number) => Promise<void>) | undefined;
}

interface Keys {
  readonly buffer: GPUBuffer;
  readonly stride: number;
}

/**
 * Builds directories by quantiles on the device, for any dim (Böhm et al. 2009, section 6; the paper builds them on the
 * CPU).
 *
 * A level is a stable sort of each partition: a radix sort by (partition, key). Float32 points have the order of
 * `buildQuantileDirectory`, to the byte. Float64 points are ordered by their float32 images in `coords`, and equal
 * images keep the order of the input.
 *
 * Device bytes a point beyond the points: 4·dim + 24 and the scratch of the sort, plus 8·dim for float64 points and
 * 8·levels for projections.
 */
export class GpuDirectoryBuilder extends Owner {
  readonly #gpu: Gpu;
  readonly #parts: Awaited<ReturnType<typeof compile>>;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #uploader: Uploader;

  private constructor(gpu: Gpu, parts: Awaited<ReturnType<typeof compile>>) {
    super();
    this.#gpu = gpu;
    this.#parts = parts;
    for (const part of [parts.radix, parts.gather]) this.own(part);
    this.#params = this.own(new ParamRing(gpu, 'spatial-grid/levels.params', 16));
    this.#scratch = this.own(new Scratch(gpu, 'spatial-grid/quantile'));
    this.#uploader = this.own(new Uploader(gpu, 'spatial-grid/keys'));
  }

  /** Compiles the pipelines for every shape and dim. */
  static async create(gpu: Gpu): Promise<GpuDirectoryBuilder> {
    return new GpuDirectoryBuilder(gpu, await compile(gpu));
  }

  /**
   * Submits the build, a level at a time, so that the device starts while the host records. Reads nothing back.
   *
   * @param points     at least one; borrowed until the device has finished
   * @param eps        radius of the later searches, finite, > 0
   * @param beginPass  begins a pass, so that the caller can time it
   * @throws InvalidParameterError  if levels or fanout are out of range, or the projection does not have one column a
   *                                level
   * @throws GpuLimitError          if a buffer is larger than the device allows
   */
  async build(
    points: DevicePoints,
    eps: number,
    beginPass: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
    options: GpuDirectoryOptions = {},
  ): Promise<GpuDirectory> {
    const {n, dim, coords, wideCoords, displacement} = points;
    const {device} = this.#gpu;
    const {projection, onPart} = options;
    const shape = directoryShape(dim, options);
    const keys = projection ? await this.#upload(n, shape.levels, projection) : {buffer: coords, stride: dim};
    const submit = (encode: Encode): void => {
      const encoder = device.createCommandEncoder();
      const pass = beginPass(encoder);
      encode(pass);
      pass.end();
      device.queue.submit([encoder.finish()]);
    };
    const nodes = this.#scratch.take('nodes', 8 * shape.nodes + 8 * Math.ceil((shape.leaves + 1) / 2));
    const pointOrder = await this.#sortLevels(n, {...shape, onPart}, keys, nodes, submit);
    const gather = (pass: GPUComputePassEncoder, what: string, input: GPUBuffer, stride: number): GPUBuffer => {
      const output = this.#scratch.take(what, 4 * stride * n);
      this.#parts.gather.encode(pass, {input, inputCount: n, indices: pointOrder, output, count: n, stride});
      return output;
    };
    let sortedCoords = coords;
    let sortedWideCoords: GPUBuffer | undefined;
    let directoryKeys: GPUBuffer | undefined;
    submit((pass) => {
      sortedCoords = gather(pass, 'sortedCoords', coords, dim);
      sortedWideCoords = wideCoords && gather(pass, 'sortedWideCoords', wideCoords, 2 * dim);
      directoryKeys = projection && gather(pass, 'sortedKeys', keys.buffer, keys.stride);
    });
    const errors = projection ? projectionErrors(projection) : {stretch: 1, displacement};
    const directory = this.#write(
      'params',
      packStruct(DirectoryParams, {
        levels: shape.levels,
        fanout: shape.fanout,
        leaves: shape.leaves,
        keyStride: keys.stride,
        levelStarts: Array.from({length: shape.levels}, (_, level) => levelStart(level, shape.fanout)),
        limit2: directoryLimit2(eps, shape.levels, errors),
        leavesAt: shape.nodes,
      }),
    );
    const bindings = {directory, nodes, directoryKeys: directoryKeys ?? sortedCoords};
    return {...shape, n, bindings, pointOrder, sortedCoords, sortedWideCoords};
  }

  async #upload(n: number, levels: number, {stride, values}: Projection): Promise<Keys> {
    if (stride !== levels || values.length !== n * levels) {
      throw new InvalidParameterError('projection', stride, `${levels} columns of ${n} points`);
    }
    const buffer = this.#scratch.take('keys', 4 * values.length);
    await this.#uploader.fill(4 * values.length, buffer, (mapped, start, end) => {
      new Float32Array(mapped, 0, (end - start) / 4).set(values.subarray(start / 4, end / 4));
    });
    return {buffer, stride};
  }

  /**
   * Sorts the partitions of one level after the other by (partition, key), and writes the intervals and leaf starts.
   */
  async #sortLevels(
    n: number,
    shape: DirectoryShape & Pick<GpuDirectoryOptions, 'onPart'>,
    keys: Keys,
    nodes: GPUBuffer,
    submit: (encode: Encode) => void,
  ): Promise<GPUBuffer> {
    const {levels, fanout, leaves, onPart} = shape;
    const {radix, writeSortKeys, writeBounds} = this.#parts;
    const leafStart = leafStarts(n, shape);
    const starts = this.#write('leafStart', leafStart);
    this.#gpu.device.queue.writeBuffer(nodes, 8 * shape.nodes, leafStart);
    const take = (turn: string): {keys: GPUBuffer; values: GPUBuffer} => ({
      keys: this.#scratch.take(`sortKeys${turn}`, 8 * n),
      values: this.#scratch.take(`pointOrder${turn}`, 4 * n),
    });
    let [input, other] = [take('A'), take('B')];
    radix.reserve(n);
    for (let level = 0, parents = 1; level < levels; level++, parents *= fanout) {
      const children = parents * fanout;
      const params = this.#params.write(levelsWgsl.structs.LevelParams, {
        n,
        stride: keys.stride,
        column: level,
        parents,
        parentSpan: leaves / parents,
        nodes: children,
        nodeSpan: leaves / children,
        firstNode: levelStart(level, fanout),
      });
      submit((pass) => {
        const bound = {keys: keys.buffer, starts, params, boundsOut: nodes};
        const unsorted = {...bound, pointOrder: input.values, sortKeys: input.keys};
        writeSortKeys.dispatchOver(pass, writeSortKeys.bind(unsorted), n);
        const endBit = 32 + Math.ceil(Math.log2(parents));
        if (radix.encode(pass, {input, other, count: n, endBit}) === other) [input, other] = [other, input];
        writeBounds.dispatchOver(pass, writeBounds.bind({...bound, pointOrder: input.values}), children);
      });
      await onPart?.((level + 1) / (levels + 1));
    }
    return input.values;
  }

  #write(what: string, source: ArrayBuffer | Int32Array<ArrayBuffer>): GPUBuffer {
    const buffer = this.#scratch.take(what, source.byteLength);
    this.#gpu.device.queue.writeBuffer(buffer, 0, source);
    return buffer;
  }
}

async function compile(gpu: Gpu) {
  const [radix, gather, writeSortKeys, writeBounds] = await createAll([
    RadixSort.create(gpu, {key: 'u64'}),
    Gather.create(gpu),
    Kernel.create(gpu, levelsWgsl, 'writeSortKeys'),
    Kernel.create(gpu, levelsWgsl, 'writeBounds'),
  ]);
  return {radix, gather, writeSortKeys, writeBounds};
}
