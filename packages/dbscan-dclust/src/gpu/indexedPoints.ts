import {type PointSet} from '@epsball/clustering';
import {Scratch, type Bindable, type Gpu} from '@epsball/gpu';
import {directoryShape, projectPoints, type DirectoryShape, type Projection} from '@epsball/quantile-directory';
import {GpuDirectoryBuilder, type DirectoryBindings} from '@epsball/quantile-directory/gpu';
import type {DevicePoints} from '@epsball/spatial-grid/gpu';
import type {DclustSettings} from '../options.ts';

/** Properties of a point set before its index is built. */
export interface PointLayout {
  readonly n: number;
  readonly dim: number;
  readonly displacement: number;
  /** Whether the caller's coordinates are float64. */
  readonly isWide: boolean;
  /** Whether there is a directory, which orders the points. */
  readonly isOrdered: boolean;
  /** Shape of the directory; 0 levels without one. */
  readonly shape: DirectoryShape;
}

/** Points on the device in the order of positions: the directory's order, or the caller's. */
export interface IndexedPoints extends PointLayout {
  /** By position, point-major: float32 words, and also float64 words if the points are float64. */
  readonly coords: GPUBuffer;
  readonly wideCoords?: GPUBuffer | undefined;
  /** Index of the point at each position; absent if positions are the caller's order. */
  readonly pointOrder?: GPUBuffer | undefined;
  /** Buffers to bind; without a directory small buffers that no kernel reads. */
  readonly directory: DirectoryBindings & {readonly directory: Bindable};
}

/** The directory has at most four levels, and its module reads four keys; keys beyond its levels are not used. */
export const DIRECTORY_OVERRIDES = {DIRECTORY_LEVELS: 4} as const;

const NO_SHAPE: DirectoryShape = {levels: 0, fanout: 1, leaves: 0, nodes: 0};

/** The paper's fan-out, and the number of points per leaf below which the fan-out is reduced. */
const MAX_FANOUT = 16;
const LEAF_POINTS = 16;
/**
 * The directory is built only if comparing all pairs costs at least this, in comparisons of four axes (plus one per
 * pair). Building it takes an H200 and its host about 0.3 ms, and lavapipe about 10 ms, for any small number of points.
 */
const MIN_COST = {hardware: 7e8, software: 4e7};

type BeginPass = (encoder: GPUCommandEncoder) => GPUComputePassEncoder;

/** Builds the index of a run, if the points gain from one. Owns what it builds; valid until the next build. */
export class PointIndex implements Disposable {
  readonly #builder: GpuDirectoryBuilder | undefined;
  readonly #settings: DclustSettings;
  readonly #minCost: number;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, settings: DclustSettings, builder: GpuDirectoryBuilder | undefined) {
    this.#settings = settings;
    this.#minCost = gpu.pick(MIN_COST);
    this.#builder = builder;
    this.#scratch = new Scratch(gpu, 'dbscan-dclust/index');
  }

  static async create(gpu: Gpu, settings: DclustSettings): Promise<PointIndex> {
    const builder = settings.index === 'directory' ? await GpuDirectoryBuilder.create(gpu) : undefined;
    return new PointIndex(gpu, settings, builder);
  }

  /** Decides whether points get a directory, and its shape. */
  plan({n, dim, displacement, wideCoords}: DevicePoints): PointLayout {
    const {levels, fanout, isDirectoryAsked} = this.#settings;
    const isWorthIt = n ** 2 * (1 + Math.ceil(dim / 4)) >= this.#minCost;
    const isOrdered = this.#builder !== undefined && (isDirectoryAsked || isWorthIt);
    const shape = isOrdered
      ? directoryShape(dim, {levels, fanout: fanout ?? fanoutFor(n, Math.min(levels, dim))})
      : NO_SHAPE;
    return {n, dim, displacement, isWide: wideCoords !== undefined, isOrdered, shape};
  }

  /**
   * Submits the build of a directory, if `plan` chose one.
   *
   * @param points  the caller's points, for their principal components
   */
  async build(
    points: PointSet,
    onDevice: DevicePoints,
    layout: PointLayout,
    {eps, beginPass}: {readonly eps: number; readonly beginPass: BeginPass},
  ): Promise<IndexedPoints> {
    const {coords, wideCoords} = onDevice;
    if (!this.#builder || !layout.isOrdered) {
      const unused = this.#scratch.take('unused', 16);
      const directory = {directory: unused, nodes: unused, directoryKeys: unused};
      return {...layout, coords, wideCoords, directory};
    }
    const {levels, fanout} = layout.shape;
    const projection = await this.#projectionOf(points);
    const built = await this.#builder.build(onDevice, eps, beginPass, {levels, fanout, projection});
    return {
      ...layout,
      coords: built.sortedCoords,
      wideCoords: wideCoords && built.sortedWideCoords,
      pointOrder: built.pointOrder,
      directory: built.bindings,
    };
  }

  /** Returns undefined if the directory uses the coordinates themselves, or if they are too large to be projected. */
  async #projectionOf(points: PointSet): Promise<Projection | undefined> {
    if (!this.#settings.pca) return undefined;
    // Imported on demand, because it loads a library of linear algebra.
    const {principalAxes} = await import('@epsball/quantile-directory/pca');
    const levels = Math.min(this.#settings.levels, points.dim);
    return projectPoints(points, principalAxes(points, levels), levels);
  }

  destroy(): void {
    this.#builder?.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Limits the leaves to a sixteenth of the points: more leaves cost more to test than they exclude. */
function fanoutFor(n: number, levels: number): number {
  return Math.min(MAX_FANOUT, Math.max(2, Math.ceil((n / LEAF_POINTS) ** (1 / levels))));
}
