import {InvalidParameterError} from '@epsball/clustering';
import {createAll, Kernel, packStruct, ParamRing, Scratch, Uploader, type Bindable, type Gpu} from '@epsball/gpu';
import {Gather} from '@epsball/gpu-primitives';
import type {Projection} from '../projection.ts';
import {directoryShape, leafStarts, levelStart, type DirectoryShape, type DirectoryShapeOptions} from '../shape.ts';
import {directoryStructs} from './directory.wgsl.ts';
import {coordinateErrors, directoryLimit2, projectionErrors} from './directoryLimit.ts';
import {LevelSort, type Keys, type LevelSorting} from './levelSort.ts';
import {levelsWgsl} from './levels.wgsl.ts';

/** Points in device memory, point-major, in the caller's order. `DevicePoints` of `@epsball/spatial-grid/gpu` fit. */
export interface DirectoryPoints {
  /** At least 1. */
  readonly n: number;
  readonly dim: number;
  /** float32 coordinates. If `wideCoords` exists, they are rounded and relative to a corner. */
  readonly coords: GPUBuffer;
  /** The caller's coordinates as float64 words, if they are float64. */
  readonly wideCoords?: GPUBuffer | undefined;
  /** Maximum error of `coords` on an axis, in coordinate units; 0 for float32 points. */
  readonly displacement: number;
}

/** Bindings, by name, of a kernel that imports `quantile_directory::gpu::directory`. */
export interface DirectoryBindings {
  readonly directory: Bindable;
  readonly nodes: GPUBuffer;
  readonly directoryKeys: GPUBuffer;
}

/** A directory in device memory, owned by its builder and valid until the next build. */
export interface GpuDirectory extends DirectoryShape {
  readonly n: number;
  readonly dim: number;
  /** Pipeline constants of kernels that read this directory. */
  readonly overrides: {readonly DIRECTORY_LEVELS: number; readonly DIRECTORY_FANOUT: number};
  readonly bindings: DirectoryBindings;
  /** Point at each position, and position of each point; `n` words each. */
  readonly pointOrder: GPUBuffer;
  readonly positions: GPUBuffer;
  /** `coords` and `wideCoords` by position, point-major. Without `wideCoords`, a small buffer to bind. */
  readonly sortedCoords: GPUBuffer;
  readonly sortedWideCoords: GPUBuffer;
}

export interface GpuDirectoryOptions extends DirectoryShapeOptions {
  /** Orders the points in place of the coordinates: `projectPoints` of the caller's points, one column a level. */
  readonly projection?: Projection | undefined;
}

type BeginPass = (encoder: GPUCommandEncoder) => GPUComputePassEncoder;

interface LevelKernels {
  readonly writeBounds: Kernel<typeof levelsWgsl, 'writeBounds'>;
  readonly writePositions: Kernel<typeof levelsWgsl, 'writePositions'>;
}

/**
 * Builds directories by quantiles on the device, for any dim (Böhm et al. 2009, section 6; the paper builds them on the
 * CPU).
 *
 * A level is a stable sort of each partition (LevelSort). Float32 points have the order of `buildQuantileDirectory`, to
 * the byte. Float64 points are ordered by their float32 images in `coords`, and equal images keep the order of the
 * input.
 *
 * Device bytes a point beyond the points: 4·dim + 28 and the scratch of the sort, plus 8·dim for float64 points and
 * 8·levels for projections.
 */
export class GpuDirectoryBuilder implements Disposable {
  readonly #gpu: Gpu;
  readonly #sort: LevelSort;
  readonly #gather: Gather;
  readonly #kernels: LevelKernels;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #uploader: Uploader;

  private constructor(gpu: Gpu, sort: LevelSort, gather: Gather, kernels: LevelKernels) {
    this.#gpu = gpu;
    this.#sort = sort;
    this.#gather = gather;
    this.#kernels = kernels;
    this.#params = new ParamRing(gpu, 'quantile-directory/levels.params', 16);
    this.#scratch = new Scratch(gpu, 'quantile-directory');
    this.#uploader = new Uploader(gpu, 'quantile-directory/keys');
  }

  /**
   * Compiles the pipelines for every shape and dim.
   *
   * @param sorting  default: by the adapter, 'tiles' on hardware and 'radix' on software
   */
  static async create(gpu: Gpu, sorting: LevelSorting = sortingFor(gpu)): Promise<GpuDirectoryBuilder> {
    const [sort, gather, writeBounds, writePositions] = await createAll([
      LevelSort.create(gpu, sorting),
      Gather.create(gpu),
      Kernel.create(gpu, levelsWgsl, 'writeBounds'),
      Kernel.create(gpu, levelsWgsl, 'writePositions'),
    ]);
    return new GpuDirectoryBuilder(gpu, sort, gather, {writeBounds, writePositions});
  }

  /**
   * Submits the build. Reads nothing back.
   *
   * @param points     at least one; borrowed until the device has finished
   * @param eps        radius of the later searches, finite, > 0
   * @param beginPass  begins the pass, so that the caller can time it
   * @throws InvalidParameterError  if levels or fanout are out of range, or the projection does not have one column a
   *                                level
   * @throws GpuLimitError          if a buffer is larger than the device allows
   */
  async build(
    points: DirectoryPoints,
    eps: number,
    beginPass: BeginPass,
    options: GpuDirectoryOptions = {},
  ): Promise<GpuDirectory> {
    const {n, dim} = points;
    const {projection} = options;
    const shape = directoryShape(dim, options);
    const keys = await this.#keysOf(points, shape.levels, projection);
    const starts = leafStarts(n, shape);
    const leafStart = this.#write('leafStart', starts);
    const nodes = this.#scratch.take('nodes', 8 * shape.nodes + 8 * Math.ceil(starts.length / 2));
    this.#gpu.device.queue.writeBuffer(nodes, 8 * shape.nodes, starts);
    const positions = this.#scratch.take('positions', 4 * n);
    const recording = new Recording(this.#gpu.device, beginPass);
    const pointOrder = this.#sortLevels(recording, {n, shape, keys, leafStart, nodes});
    const {writePositions} = this.#kernels;
    const params = this.#writeLevel(n, shape, keys, 0);
    const {pass} = recording;
    writePositions.dispatchOver(pass, writePositions.bind({pointOrder, positions, params}), n);
    const sorted = this.#gatherPoints(pass, points, pointOrder);
    const directoryKeys = projection
      ? this.#gatherRows(pass, 'sortedKeys', keys.buffer, {n, stride: keys.stride, pointOrder})
      : sorted.sortedCoords;
    recording.submit();

    const errors = projection ? projectionErrors(projection) : coordinateErrors(points.displacement);
    const limit2 = directoryLimit2(eps, shape.levels, errors);
    const values = {n, keyStride: keys.stride, limit2, leavesAt: shape.nodes};
    const directory = this.#write('directoryParams', packStruct(directoryStructs.DirectoryParams, values));
    const overrides = {DIRECTORY_LEVELS: shape.levels, DIRECTORY_FANOUT: shape.fanout};
    const bindings = {directory, nodes, directoryKeys};
    return {...shape, n, dim, overrides, bindings, pointOrder, positions, ...sorted};
  }

  async #keysOf(points: DirectoryPoints, levels: number, projection: Projection | undefined): Promise<Keys> {
    if (projection === undefined) return {buffer: points.coords, stride: points.dim};
    if (projection.stride !== levels || projection.values.length !== points.n * levels) {
      throw new InvalidParameterError('projection', projection.stride, `${levels} columns of ${points.n} points`);
    }
    const buffer = this.#scratch.take('keys', 4 * projection.values.length);
    const {values} = projection;
    await this.#uploader.fill(4 * values.length, buffer, (mapped, start, end) => {
      new Float32Array(mapped, 0, (end - start) / 4).set(values.subarray(start / 4, end / 4));
    });
    return {buffer, stride: levels};
  }

  /**
   * Records the sorts and the intervals of all levels. A level of many dispatches is submitted separately, so that the
   * device starts while the host records the next level.
   *
   * @returns  points by position
   */
  #sortLevels(recording: Recording, {n, shape, keys, leafStart, nodes}: LevelsInput): GPUBuffer {
    const {writeBounds} = this.#kernels;
    let pointOrder: GPUBuffer | undefined;
    for (let level = 0; level < shape.levels; level++) {
      const params = this.#writeLevel(n, shape, keys, level);
      pointOrder = this.#sort.encode(recording.pass, {n, shape, level, keys, leafStart, params});
      const bounds = {keys: keys.buffer, pointOrder, starts: leafStart, boundsOut: nodes, params};
      writeBounds.dispatchOver(recording.pass, writeBounds.bind(bounds), shape.fanout ** (level + 1));
      if (!this.#sort.isQuick({n, shape, level})) recording.submit();
    }
    if (!pointOrder) throw new Error('a directory without levels');
    return pointOrder;
  }

  #writeLevel(n: number, {fanout, leaves}: DirectoryShape, {stride}: Keys, level: number): Bindable {
    const parents = fanout ** level;
    const nodes = parents * fanout;
    return this.#params.write(levelsWgsl.structs.LevelParams, {
      n,
      stride,
      column: level,
      parents,
      parentSpan: leaves / parents,
      nodes,
      nodeSpan: leaves / nodes,
      firstNode: levelStart(level, fanout),
    });
  }

  #gatherPoints(
    pass: GPUComputePassEncoder,
    {n, dim, coords, wideCoords}: DirectoryPoints,
    pointOrder: GPUBuffer,
  ): {sortedCoords: GPUBuffer; sortedWideCoords: GPUBuffer} {
    const sortedCoords = this.#gatherRows(pass, 'sortedCoords', coords, {n, stride: dim, pointOrder});
    const sortedWideCoords = wideCoords
      ? this.#gatherRows(pass, 'sortedWideCoords', wideCoords, {n, stride: 2 * dim, pointOrder})
      : this.#scratch.take('sortedWideCoords', 16);
    return {sortedCoords, sortedWideCoords};
  }

  #gatherRows(
    pass: GPUComputePassEncoder,
    what: string,
    input: GPUBuffer,
    {n, stride, pointOrder}: {readonly n: number; readonly stride: number; readonly pointOrder: GPUBuffer},
  ): GPUBuffer {
    const output = this.#scratch.take(what, 4 * stride * n);
    this.#gather.encode(pass, {input, inputCount: n, indices: pointOrder, output, count: n, stride});
    return output;
  }

  #write(what: string, source: ArrayBuffer | Int32Array<ArrayBuffer>): GPUBuffer {
    const buffer = this.#scratch.take(what, source.byteLength);
    this.#gpu.device.queue.writeBuffer(buffer, 0, source);
    return buffer;
  }

  destroy(): void {
    this.#sort.destroy();
    this.#gather.destroy();
    this.#params.destroy();
    this.#scratch.destroy();
    this.#uploader.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

function sortingFor(gpu: Gpu): LevelSorting {
  return gpu.pick({hardware: 'tiles', software: 'radix'});
}

/** A compute pass that begins on first use. */
class Recording {
  readonly #device: GPUDevice;
  readonly #beginPass: BeginPass;
  #open: {readonly encoder: GPUCommandEncoder; readonly pass: GPUComputePassEncoder} | undefined;

  constructor(device: GPUDevice, beginPass: BeginPass) {
    this.#device = device;
    this.#beginPass = beginPass;
  }

  get pass(): GPUComputePassEncoder {
    if (!this.#open) {
      const encoder = this.#device.createCommandEncoder();
      this.#open = {encoder, pass: this.#beginPass(encoder)};
    }
    return this.#open.pass;
  }

  /** Submits the commands recorded since the last call. */
  submit(): void {
    if (!this.#open) return;
    const {encoder, pass} = this.#open;
    this.#open = undefined;
    pass.end();
    this.#device.queue.submit([encoder.finish()]);
  }
}

interface LevelsInput {
  readonly n: number;
  readonly shape: DirectoryShape;
  readonly keys: Keys;
  readonly leafStart: GPUBuffer;
  readonly nodes: GPUBuffer;
}
