import {createAll, foldDispatch, Kernel, ParamRing, Scratch, type Bindable, type Gpu} from '@epsball/gpu';
import {RadixSort} from '@epsball/gpu-primitives';
import type {DirectoryShape} from '../shape.ts';
import {levelsWgsl} from './levels.wgsl.ts';
import {levelTilesWgsl} from './levelTiles.wgsl.ts';

/** Maximum elements of a tile, and invocations of a workgroup: MAX_TILE and WIDTH of levelTiles.wgsl. */
const MAX_TILE = 2048;
const WIDTH = 256;
/**
 * Maximum searches of a merge: elements times the tiles of their partition. A radix sort is faster beyond. On an H200
 * the merge of 130,000 elements in 64 tiles takes as long as four digits of a radix sort, and the host records it in a
 * fifth of the time.
 */
const MAX_SEARCHES = 2 ** 23;

/**
 * Sort of the levels. 'tiles': tiles with a merge, in few dispatches, and a radix sort for very long partitions.
 * 'radix': always a radix sort, for software adapters, on which barriers are slow.
 */
export type LevelSorting = 'tiles' | 'radix';

/** The keys of the points, in the caller's order. */
export interface Keys {
  readonly buffer: GPUBuffer;
  readonly stride: number;
}

/** Input of the sort of one level. */
export interface Level {
  readonly n: number;
  readonly shape: DirectoryShape;
  /** Index of the level, from 0. */
  readonly level: number;
  readonly keys: Keys;
  readonly leafStart: GPUBuffer;
  /** The `LevelParams` of this level. */
  readonly params: Bindable;
}

interface SortKernels {
  readonly writeSortKeys: Kernel<typeof levelsWgsl, 'writeSortKeys'>;
  readonly sortTiles: Kernel<typeof levelTilesWgsl, 'sortTiles'>;
  readonly mergeTiles: Kernel<typeof levelTilesWgsl, 'mergeTiles'>;
}

/** Stable sorts of the partitions of one level after the other. */
export class LevelSort implements Disposable {
  readonly #kernels: SortKernels;
  readonly #radix: RadixSort<'u64'>;
  readonly #sorting: LevelSorting;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  /** The buffer, of two, that holds the points by position. */
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

  /** Whether a level takes so few dispatches that a separate submission does not pay. */
  isQuick({n, shape, level}: Pick<Level, 'n' | 'shape' | 'level'>): boolean {
    return this.#sorting === 'tiles' && n * Math.ceil(longestPartition(n, shape, level) / MAX_TILE) <= MAX_SEARCHES;
  }

  /**
   * Records the sort of a level, after those of the levels above.
   *
   * @returns  points by position, valid until the sort of the next level
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

  /** Sorts by (partition, key), with the partition in the upper bits. */
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

  /** The buffer that holds the points, and the other one. */
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

/** Length of the longest partition before the sort of a level. The lengths of quantiles differ by at most one. */
function longestPartition(n: number, {fanout}: DirectoryShape, level: number): number {
  return Math.ceil(n / fanout ** level);
}
