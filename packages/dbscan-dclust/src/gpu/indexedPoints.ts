import {type PointSet} from '@epsball/clustering';
import {Owner, Scratch, type Gpu} from '@epsball/gpu';
import {projectPoints, type DirectoryShapeOptions, type Projection} from '@epsball/spatial-grid/quantile';
import {directoryStructs, GpuDirectoryBuilder, type DirectoryBindings} from '@epsball/spatial-grid/gpu/quantile';
import type {DevicePoints} from '@epsball/spatial-grid/gpu';
import type {DclustSettings} from '../options.ts';

/** Points on the device in the order of positions: the directory's order, or the caller's. */
export interface IndexedPoints {
  readonly n: number;
  readonly dim: number;
  /** By position, point-major: float32 words, and float64 words; `coords` if the points are float32. */
  readonly coords: GPUBuffer;
  readonly wideCoords: GPUBuffer;
  /** Index of the point at each position; `coords` if positions are the caller's order. */
  readonly pointOrder: GPUBuffer;
  readonly directory: DirectoryBindings;
}

/** The paper's fan-out, and the number of points per leaf below which the fan-out is reduced. */
const MAX_FANOUT = 16;
const LEAF_POINTS = 16;
/**
 * In comparisons of four axes, plus one per pair. Building a directory takes an H200 and its host some tenths of a
 * millisecond, and lavapipe about 10 ms, for any small number of points.
 */
const MIN_COST = {hardware: 7e8, software: 4e7};

/** Builds the index of a run, if the points gain from one. Owns what it builds; valid until the next build. */
export class PointIndex extends Owner {
  readonly #gpu: Gpu;
  readonly #builder: GpuDirectoryBuilder | undefined;
  readonly #settings: DclustSettings;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, settings: DclustSettings, builder: GpuDirectoryBuilder | undefined) {
    super();
    this.#gpu = gpu;
    this.#settings = settings;
    this.#builder = builder && this.own(builder);
    this.#scratch = this.own(new Scratch(gpu, 'dbscan-dclust/index'));
  }

  static async create(gpu: Gpu, settings: DclustSettings): Promise<PointIndex> {
    const builder = settings.index === 'directory' ? await GpuDirectoryBuilder.create(gpu) : undefined;
    return new PointIndex(gpu, settings, builder);
  }

  /** The shape of the points' directory; undefined if they get none. */
  plan({n, dim}: Pick<DevicePoints, 'n' | 'dim'>): DirectoryShapeOptions | undefined {
    const {levels, fanout, isDirectoryAsked} = this.#settings;
    const isWorthIt = n ** 2 * (1 + Math.ceil(dim / 4)) >= this.#gpu.pick(MIN_COST);
    if (!this.#builder || !(isDirectoryAsked || isWorthIt)) return undefined;
    // Limits the leaves to a sixteenth of the points: more leaves cost more to test than they exclude.
    const enough = Math.ceil((n / LEAF_POINTS) ** (1 / Math.min(levels, dim)));
    return {levels, fanout: fanout ?? Math.min(MAX_FANOUT, Math.max(2, enough))};
  }

  /**
   * @param points  the caller's, for their principal components
   * @param onPart  awaited behind each part that was submitted, from 0 to 1
   */
  async build(
    points: PointSet,
    onDevice: DevicePoints,
    eps: number,
    beginPass: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
    onPart: (part: number) => Promise<void>,
  ): Promise<IndexedPoints> {
    const {n, dim, coords, wideCoords = coords} = onDevice;
    const shape = this.plan(onDevice);
    if (!this.#builder || !shape) {
      // Never written: a directory of 0 levels.
      const none = this.#scratch.take('none', directoryStructs.DirectoryParams.size);
      const directory = {directory: none, nodes: none, directoryKeys: none};
      return {n, dim, coords, wideCoords, pointOrder: coords, directory};
    }
    const projection = await this.#projectionOf(points);
    await onPart(0);
    const {
      sortedCoords,
      sortedWideCoords = sortedCoords,
      pointOrder,
      bindings,
    } = await this.#builder.build(onDevice, eps, beginPass, {...shape, projection, onPart});
    await onPart(1);
    return {n, dim, coords: sortedCoords, wideCoords: sortedWideCoords, pointOrder, directory: bindings};
  }

  /** Returns undefined if the directory uses the coordinates themselves, or if they are too large to be projected. */
  async #projectionOf(points: PointSet): Promise<Projection | undefined> {
    if (!this.#settings.pca) return undefined;
    // Imported on demand, because it loads a library of linear algebra.
    const {principalAxes} = await import('@epsball/spatial-grid/quantile/pca');
    const levels = Math.min(this.#settings.levels, points.dim);
    return projectPoints(points, principalAxes(points, levels), levels);
  }
}
