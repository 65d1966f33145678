import {foldDispatch, Kernel, Owner, ParamRing, ReadBack, Scratch, type Gpu, type GpuRun} from '@epsball/gpu';
import type {HdbscanPhase} from '../algorithm.ts';
import {listCoresWgsl} from './listCores.wgsl.ts';
import {nearListsWgsl} from './nearLists.wgsl.ts';
import {TILE_POINTS, type TiledPoints} from './tiledPoints.ts';

/** Bytes of the lists of a batch. */
const LIST_BYTES = {hardware: 2 ** 28, software: 2 ** 22};

/** Least entries of a list, and most that are kept; with this many, one pass leaves few components. */
const LIST = {hardware: 32, software: 16};
/** Entries beyond the rank, for points of about the same distance on both sides of it. */
const SPARE = 8;

/** Products of a dispatch: 50 ms or so. */
const PRODUCTS = {hardware: 2 ** 39, software: 2 ** 31};
/** Of one that does not share what it loads. */
const LONE_PRODUCTS = {hardware: 2 ** 35, software: 2 ** 27};

/** Pairs of a dispatch that takes all pairs of tiles. */
export function pairsPerStep(gpu: Gpu, dim: number): number {
  return Math.floor(gpu.pick(PRODUCTS) / dim);
}

/** Core distances, and of each position its nearest points. */
export interface NearPoints {
  readonly core: GPUBuffer;
  /** `kept` entries of each position, and a lower bound of all others. */
  readonly near: GPUBuffer;
  readonly reach: GPUBuffer;
  readonly kept: number;
}

/** One pass over all pairs. Keeps its buffers, which the next run reuses. */
export class NearLists extends Owner {
  readonly #gpu: Gpu;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #reader: ReadBack;

  constructor(gpu: Gpu) {
    super();
    this.#gpu = gpu;
    this.#params = this.own(new ParamRing(gpu, 'hdbscan/nearLists.params'));
    this.#scratch = this.own(new Scratch(gpu, 'hdbscan/nearLists'));
    this.#reader = this.own(new ReadBack(gpu, 'hdbscan/open'));
  }

  /**
   * @param rank  of the core distance, at most n
   * @returns     valid until the next run
   */
  async find(points: TiledPoints, rank: number, run: GpuRun<HdbscanPhase>): Promise<NearPoints> {
    const {n, tiles} = points;
    const least = this.#gpu.pick(LIST);
    const length = Math.max(least, rank + SPARE);
    const room = 2 * length + TILE_POINTS;
    const bytes = Math.min(this.#gpu.pick(LIST_BYTES), this.#gpu.limits.maxStorageBufferBindingSize);
    const batch = Math.max(1, Math.min(tiles, Math.floor(bytes / (TILE_POINTS * 8 * room))));
    const rows = TILE_POINTS * batch;
    const take = (what: string, size: number): GPUBuffer => this.#scratch.take(what, size);
    const found = {
      core: take('core', 8 * n),
      near: take('near', 8 * least * n),
      reach: take('reach', 4 * n),
    };
    const sorted = take('sorted', 8 * length * rows);
    const buffers = {
      ...points.bindings,
      lists: take('lists', 8 * room * rows),
      held: take('held', 4 * rows),
      open: take('open', 4 * rows + 4),
      sorted,
      exact: sorted,
      coreOut: found.core,
      nearOut: found.near,
      reachOut: found.reach,
    };
    const shape = {rank, length, room, kept: least};
    const step = Math.max(1, Math.floor(pairsPerStep(this.#gpu, points.dim) / (rows * TILE_POINTS)));
    run.report('core', 0);
    for (let firstTile = 0; firstTile < tiles; firstTile += batch) {
      const count = Math.min(n - TILE_POINTS * firstTile, rows);
      await this.#list(points, {...shape, firstTile, tiles: Math.min(batch, tiles - firstTile), step}, buffers, run);
      await this.#select({...shape, first: TILE_POINTS * firstTile, count}, points, buffers, run);
      run.report('core', TILE_POINTS * firstTile + count);
    }
    return {...found, kept: least};
  }

  async #list(
    {tiles}: TiledPoints,
    {step, ...batch}: Batch,
    buffers: Buffers,
    run: GpuRun<HdbscanPhase>,
  ): Promise<void> {
    const kernel = await Kernel.create(this.#gpu, nearListsWgsl, 'listNearest');
    for (let firstColumn = 0; firstColumn < tiles; firstColumn += step) {
      const endColumn = Math.min(tiles, firstColumn + step);
      const {firstTile, length, room} = batch;
      const fields = {firstTile, tiles: batch.tiles, firstColumn, endColumn, length, room};
      const params = this.#params.write(nearListsWgsl.structs.ListParams, fields);
      const encoder = this.#gpu.device.createCommandEncoder();
      if (firstColumn === 0) encoder.clearBuffer(buffers.held);
      await run.makeRoom();
      run.record(encoder, 'core', (pass) => {
        kernel.dispatch(pass, kernel.bind({...buffers, params}), foldDispatch(batch.tiles));
      });
      this.#gpu.device.queue.submit([encoder.finish()]);
      await run.settle('core');
    }
  }

  /** Core distances of a batch, and the entries that are kept. */
  async #select(
    {rank, first, count, length, room, kept}: Selection,
    {n, dim}: TiledPoints,
    buffers: Buffers,
    run: GpuRun<HdbscanPhase>,
  ): Promise<void> {
    const names = ['decideClose', 'selectCores', 'settleCores'] as const;
    const {decideClose, selectCores, settleCores} = await Kernel.createEach(this.#gpu, listCoresWgsl, names);
    const write = (fields: {readonly first: number; readonly count: number}) =>
      this.#params.write(listCoresWgsl.structs.ListCoreParams, {rank, length, room, kept, ...fields});
    const bound = {...buffers, params: write({first, count})};
    const encoder = this.#gpu.device.createCommandEncoder();
    encoder.clearBuffer(buffers.open, 0, 4);
    await run.makeRoom();
    run.record(encoder, 'core', (pass) => {
      decideClose.dispatchOver(pass, decideClose.bind(bound), count * length);
      selectCores.dispatchOver(pass, selectCores.bind(bound), count);
    });
    this.#gpu.device.queue.submit([encoder.finish()]);
    const [open] = await this.#reader.read(buffers.open, new Uint32Array(1));
    run.throwIfAborted();
    const step = Math.max(1, Math.floor(this.#gpu.pick(LONE_PRODUCTS) / (n * dim)));
    for (let from = 0; from < open; from += step) {
      const some = Math.min(step, open - from);
      const params = write({first: from, count: some});
      await run.makeRoom();
      run.submit('core', (pass) => {
        settleCores.dispatch(pass, settleCores.bind({...buffers, params}), foldDispatch(some));
      });
      await run.settle('core');
    }
  }
}

interface ListShape {
  readonly rank: number;
  readonly length: number;
  readonly room: number;
  readonly kept: number;
}

interface Batch extends ListShape {
  readonly firstTile: number;
  readonly tiles: number;
  /** Tiles of columns of a dispatch. */
  readonly step: number;
}

interface Selection extends ListShape {
  readonly first: number;
  readonly count: number;
}

type Buffers = TiledPoints['bindings'] &
  Readonly<Record<'lists' | 'held' | 'open' | 'sorted' | 'exact' | 'coreOut' | 'nearOut' | 'reachOut', GPUBuffer>>;
