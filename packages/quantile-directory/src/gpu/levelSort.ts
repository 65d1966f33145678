import {createAll, foldDispatch, Kernel, ParamRing, Scratch, type Bindable, type Gpu} from '@epsball/gpu';
import {RadixSort} from '@epsball/gpu-primitives';
import type {DirectoryShape} from '../shape.ts';
import {levelsWgsl} from './levels.wgsl.ts';
import {levelTilesWgsl} from './levelTiles.wgsl.ts';

/** Elements of a tile at most, and invocations of a workgroup: MAX_TILE and WIDTH of levelTiles.wgsl. */
const MAX_TILE = 2048;
const WIDTH = 256;
/**
 * Tiles that all elements may search together, those of their partitions: beyond, a radix sort is quicker. On an H200 64 tiles of 130,000
 * elements in all take as long as a radix sort's four digits, and the host records them in a fifth of the time.
 */
const MAX_SEARCHES = 2 ** 23;

/**
 * How levels are sorted: by tiles, a few dispatches a level, wherever partitions are not too long; or by radix always, as suits a
 * software adapter, on which barriers are slow.
 */
export type LevelSorting = 'tiles' | 'radix';

/** Where a build finds the keys of points in the caller's order. */
export interface Keys {
  readonly buffer: GPUBuffer;
  readonly stride: number;
}

/** A level to be sorted. */
export interface Level {
  readonly n: number;
  readonly shape: DirectoryShape;
  /** From 0. */
  readonly level: number;
  readonly keys: Keys;
  readonly leafStart: GPUBuffer;
  /** A LevelParams of this level. */
  readonly params: Bindable;
}

interface SortKernels {
  readonly writeSortKeys: Kernel<typeof levelsWgsl, 'writeSortKeys'>;
  readonly sortTiles: Kernel<typeof levelTilesWgsl, 'sortTiles'>;
  readonly mergeTiles: Kernel<typeof levelTilesWgsl, 'mergeTiles'>;
}

/** Stable sorts of the partitions of a level, each by itself, one level after the other. */
export class LevelSort implements Disposable {
  readonly #kernels: SortKernels;
  readonly #radix: RadixSort<'u64'>;
  readonly #sorting: LevelSorting;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  /** Which of two buffers holds the points by position. */
  #turn: 'A' | 'B' = 'A';

  private constructor(gpu: Gpu, sorting: LevelSorting, radix: RadixSort<'u64'>, kernels: SortKernels) {
    this.#sorting = sorting;
    this.#radix = radix;
    this.#kernels = kernels;
    this.#params = new ParamRing(gpu, 'quantile-directory/tiles.params', 16);
    this.#scratch = new Scratch(gpu, 'quantile-directory/sort');
  }

  /** Compiles the pipelines. */
  static async create(gpu: Gpu, sorting: LevelSorting): Promise<LevelSort> {
    const [radix, writeSortKeys, sortTiles, mergeTiles] = await createAll([
      RadixSort.create(gpu, {key: 'u64'}),
      Kernel.create(gpu, levelsWgsl, 'writeSortKeys'),
      Kernel.create(gpu, levelTilesWgsl, 'sortTiles'),
      Kernel.create(gpu, levelTilesWgsl, 'mergeTiles'),
    ]);
    return new LevelSort(gpu, sorting, radix, {writeSortKeys, sortTiles, mergeTiles});
  }

  /** Whether a level takes few dispatches, so that there is no use in submitting it by itself. */
  isQuick({n, shape, level}: Pick<Level, 'n' | 'shape' | 'level'>): boolean {
    return this.#sorting === 'tiles' && n * Math.ceil(longestPartition(n, shape, level) / MAX_TILE) <= MAX_SEARCHES;
  }

  /**
   * Records the sort of a level, after those of the levels above.
   *
   * @returns  points by position, until the next level is sorted
   */
  encode(pass: GPUComputePassEncoder, level: Level): GPUBuffer {
    if (this.isQuick(level)) this.#encodeTiles(pass, level);
    else this.#encodeRadix(pass, level);
    return this.#order(this.#turn, level.n);
  }

  #encodeTiles(pass: GPUComputePassEncoder, {n, shape, level, keys, leafStart}: Level): void {
    const {sortTiles, mergeTiles} = this.#kernels;
    const [here, there] = this.#turns();
    const longest = longestPartition(n, shape, level);
    const tileLength = Math.min(MAX_TILE, 2 ** Math.max(1, Math.ceil(Math.log2(longest))));
    const tiles = Math.ceil(longest / tileLength);
    const partitions = shape.fanout ** level;
    const values = {stride: keys.stride, column: level, partitions, span: shape.leaves / partitions, tiles, tileLength};
    const params = this.#params.write(levelTilesWgsl.structs.TileParams, values);
    const tileKeys = this.#scratch.take('tileKeys', 4 * n);
    const tileOrder = this.#order(there, n);
    const unsorted = {
      keys: keys.buffer,
      pointOrder: this.#order(here, n),
      starts: leafStart,
      tileKeys,
      tileOrder,
      params,
    };
    sortTiles.dispatch(pass, sortTiles.bind(unsorted), foldDispatch(partitions * tiles));
    if (tiles === 1) {
      this.#turn = there;
      return;
    }
    const sorted = {starts: leafStart, tileKeys, tileOrder, sortedOrder: this.#order(here, n), params};
    mergeTiles.dispatch(pass, mergeTiles.bind(sorted), foldDispatch((partitions * tiles * tileLength) / WIDTH));
  }

  /** By (partition, key), the partition in the upper bits. */
  #encodeRadix(pass: GPUComputePassEncoder, {n, shape, level, keys, leafStart, params}: Level): void {
    const {writeSortKeys} = this.#kernels;
    const [here, there] = this.#turns();
    const take = (turn: 'A' | 'B'): {keys: GPUBuffer; values: GPUBuffer} => ({
      keys: this.#scratch.take(`sortKeys${turn}`, 8 * n),
      values: this.#order(turn, n),
    });
    const [input, other] = [take(here), take(there)];
    this.#radix.reserve(n);
    const unsorted = {
      keys: keys.buffer,
      pointOrder: input.values,
      sortKeys: input.keys,
      starts: leafStart,
      params,
    };
    writeSortKeys.dispatchOver(pass, writeSortKeys.bind(unsorted), n);
    const endBit = 32 + Math.ceil(Math.log2(shape.fanout ** level));
    const sorted = this.#radix.encode(pass, {input, other, count: n, endBit});
    if (sorted === other) this.#turn = there;
  }

  /** Where the points are, and where they are not. */
  #turns(): readonly ['A' | 'B', 'A' | 'B'] {
    return this.#turn === 'A' ? ['A', 'B'] : ['B', 'A'];
  }

  #order(turn: 'A' | 'B', n: number): GPUBuffer {
    return this.#scratch.take(`pointOrder${turn}`, 4 * n);
  }

  destroy(): void {
    this.#radix.destroy();
    this.#params.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Points of the longest partition before a level is sorted: quantiles differ by one, level by level. */
function longestPartition(n: number, {fanout}: DirectoryShape, level: number): number {
  return Math.ceil(n / fanout ** level);
}
