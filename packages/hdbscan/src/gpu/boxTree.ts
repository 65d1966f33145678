import {pointCount, type PointSet} from '@epsball/clustering';
import {Kernel, Owner, ParamRing, Uploader, type BufferSlice, type Gpu, type GpuRun} from '@epsball/gpu';
import {RadixSort} from '@epsball/gpu-primitives';
import {pointBounds} from '@epsball/spatial-grid';
import {BoundsReduction} from '@epsball/spatial-grid/gpu';
import type {HdbscanPhase} from '../algorithm.ts';
import {boxTreeStructs} from './boxTree.wgsl.ts';
import type {DeviceMemory} from './deviceMemory.ts';
import {layBoxesWgsl} from './layBoxes.wgsl.ts';
import {layOutWgsl} from './layOut.wgsl.ts';
import {relativePoints} from './relativePoints.ts';

const LEAF_POINTS = 8;
const FANOUT = 4;

/** A float32 from 0 to 1 has no more bits. */
const AXIS_BITS_MAX = 24;
const KEY_BITS = 64;

/** The part of a build that is done when the points are in order, about, on a software adapter. */
const SORT_PART = 0.8;

/** Points in Morton order and the tree of boxes over them, on the device. */
export interface BoxTree {
  readonly n: number;
  /** The dimensions that kernels are compiled for; 0: any. */
  readonly overrides: {readonly DIM: number};
  readonly bindings: {
    readonly tree: BufferSlice;
    readonly relative: GPUBuffer;
    readonly words: GPUBuffer;
    readonly boxes: GPUBuffer;
  };
  /** n u32: the index of the point at each position. */
  readonly pointOrder: GPUBuffer;
  /** Nodes of each level, leaves first. */
  readonly levels: readonly number[];
  /** The numbers of nodes end here. */
  readonly nodes: number;
}

/** Builds trees. */
export class BoxTreeBuilder extends Owner {
  readonly #gpu: Gpu;
  readonly #isSpecialized: boolean;
  readonly #sort: RadixSort<'u64'>;
  readonly #relativeUploader: Uploader;
  readonly #wordUploader: Uploader;
  readonly #bounds: BoundsReduction;
  readonly #params: ParamRing;
  readonly #memory: DeviceMemory;

  private constructor(gpu: Gpu, memory: DeviceMemory, sort: RadixSort<'u64'>, isSpecialized: boolean) {
    super();
    this.#gpu = gpu;
    this.#memory = memory;
    this.#isSpecialized = isSpecialized;
    this.#sort = this.own(sort);
    this.#relativeUploader = this.own(new Uploader(gpu, 'hdbscan/relative'));
    this.#wordUploader = this.own(new Uploader(gpu, 'hdbscan/words'));
    this.#bounds = this.own(new BoundsReduction(gpu));
    this.#params = this.own(new ParamRing(gpu, 'hdbscan/boxTree.params'));
  }

  /** @param memory  borrowed */
  static async create(gpu: Gpu, memory: DeviceMemory, isSpecialized: boolean): Promise<BoxTreeBuilder> {
    return new BoxTreeBuilder(gpu, memory, await RadixSort.create(gpu, {key: 'u64', values: 'index'}), isSpecialized);
  }

  /** What kernels are compiled for that read trees of `dim` dimensions. */
  overridesFor(dim: number): BoxTree['overrides'] {
    return {DIM: this.#isSpecialized ? dim : 0};
  }

  /**
   * Uploads points and builds their tree. Submits.
   *
   * @param points  at least one, 1 to 16 dimensions; finite if they are float64
   * @returns       valid until the next build
   * @throws InvalidPointsError  if a coordinate of float32 points is not finite
   */
  async build(points: PointSet, run: GpuRun<HdbscanPhase>): Promise<BoxTree> {
    const {coords, dim} = points;
    const n = pointCount(points);
    const isWide = coords instanceof Float64Array;
    const take = (what: string, bytes: number): GPUBuffer => this.#memory.take(what, bytes);
    const givenWords = take('givenWords', coords.byteLength);
    run.enter('upload');
    await this.#wordUploader.upload(coords, givenWords);
    const unchecked = {n, dim, coords: givenWords, displacement: 0, unchecked: points};
    const bounds = isWide ? pointBounds(points) : await this.#bounds.of(unchecked, run.passes('index'));
    const {relative, scale, corner, unit, slack} = relativePoints(points, bounds);
    const given = relative ? take('given', relative.byteLength) : givenWords;
    if (relative) await this.#relativeUploader.upload(relative, given);
    run.throwIfAborted();
    run.enter('index');
    await run.reachPart('index', 0);
    const levels = levelSizes(n);
    const nodes = levels[0] + (FANOUT ** (levels.length - 1) - 1) / (FANOUT - 1);
    const tree = this.#params.write(boxTreeStructs.BoxTreeParams, {
      n,
      dim,
      isWide: isWide ? 1 : 0,
      height: levels.length - 1,
      leaves: levels[0],
      unit,
      slack,
      shrink: 1 - (dim + 4) * 2 ** -22,
    });
    const overrides = this.overridesFor(dim);
    const chunks = Math.ceil(dim / 4);
    const bindings = {
      tree,
      relative: take('relative', 16 * chunks * n),
      words: take('words', coords.byteLength),
      boxes: take('boxes', 32 * chunks * nodes),
    };
    const params = this.#params.write(layOutWgsl.structs.LayOutParams, {
      n,
      dim,
      axisBits: axisBitsOf(dim),
      width: isWide ? 2 * dim : dim,
      isGiven: relative ? 1 : 0,
      scale,
      corner: [...corner],
    });
    const pointOrder = await this.#layOut({n, dim, params, given, givenWords, bindings}, run);
    await run.reachPart('index', SORT_PART);
    await this.#layBoxes(levels, bindings, run);
    await run.reachPart('index', 1);
    return {n, overrides, bindings, pointOrder, levels, nodes};
  }

  /** Sorts the points by Morton key. Returns their order. */
  async #layOut(
    {n, dim, params, given, givenWords, bindings}: LayOutInput,
    run: GpuRun<HdbscanPhase>,
  ): Promise<GPUBuffer> {
    const {mortonKeys, gatherPoints} = await Kernel.createEach(this.#gpu, layOutWgsl, ['mortonKeys', 'gatherPoints']);
    const pair = (keys: string, values: string): {keys: GPUBuffer; values: GPUBuffer} => ({
      keys: this.#memory.take(keys, 8 * n),
      values: this.#memory.take(values, 4 * n),
    });
    const input = pair('mortonKeys', 'sortedOrder');
    const other = pair('otherMortonKeys', 'otherSortedOrder');
    const pointOrderOut = this.#memory.take('pointOrder', 4 * n);
    this.#sort.reserve(n);
    run.submit('index', (pass) => {
      mortonKeys.dispatchOver(pass, mortonKeys.bind({params, given, givenWords, keys: input.keys}), n);
      const {values: pointOrder} = this.#sort.encode(pass, {input, other, count: n, endBit: axisBitsOf(dim) * dim});
      const {relative, words} = bindings;
      const bound = {params, given, givenWords, pointOrder, relativeOut: relative, wordsOut: words, pointOrderOut};
      gatherPoints.dispatchOver(pass, gatherPoints.bind(bound), n);
    });
    return pointOrderOut;
  }

  async #layBoxes(
    levels: readonly number[],
    {tree, relative, boxes}: BoxTree['bindings'],
    run: GpuRun<HdbscanPhase>,
  ): Promise<void> {
    const kernels = await Kernel.createEach(this.#gpu, layBoxesWgsl, ['layLeafBoxes', 'layLevelBoxes']);
    const {layLeafBoxes, layLevelBoxes} = kernels;
    run.submit('index', (pass) => {
      layLeafBoxes.dispatchOver(pass, layLeafBoxes.bind({tree, relative, boxesOut: boxes}), levels[0]);
      for (let level = 1; level < levels.length; level++) {
        const params = this.#params.write(layBoxesWgsl.structs.LevelParams, {level});
        layLevelBoxes.dispatchOver(pass, layLevelBoxes.bind({tree, params, boxesOut: boxes}), levels[level]);
      }
    });
  }
}

interface LayOutInput {
  readonly n: number;
  readonly dim: number;
  readonly params: BufferSlice;
  readonly given: GPUBuffer;
  readonly givenWords: GPUBuffer;
  readonly bindings: BoxTree['bindings'];
}

/** Bits of an axis in a Morton key. */
function axisBitsOf(dim: number): number {
  return Math.min(AXIS_BITS_MAX, Math.floor(KEY_BITS / dim));
}

function levelSizes(n: number): number[] {
  const levels = [Math.ceil(n / LEAF_POINTS)];
  for (let size = levels[0]; size > 1; levels.push(size)) size = Math.ceil(size / FANOUT);
  return levels;
}
