import {ParamRing, type BufferSlice, type Gpu, type GpuBuffer} from '@epsball/gpu';
import {spreadTiles, type TileSpread} from './tiles.ts';

const WIDTH = 256;
/** Elements of an invocation in a tile. Lavapipe compiles a kernel for every row of it: 11 for 15 s. */
const ITEMS = 7;
const ITEMS_ON_LAVAPIPE = 3;
/** Enough workgroups to fill a large GPU; each looks at what all before it found. */
const MAX_GROUPS = 2048;
/** A buffer may be bound in parts that begin at multiples of this. */
const PART_BYTES = 256;

/** Keys of runs: one word, or two, the low one first. */
export type RunKey = 'u32' | 'u64';

/** The override HEAD of runHeads.wgsl. */
export const HEADS = {u32: 0, u64: 1, flags: 2} as const;

/** The override ITEMS of runHeads.wgsl. */
export function runItemsOn(gpu: Gpu): number {
  return gpu.info.kind === 'system-software' ? ITEMS_ON_LAVAPIPE : ITEMS;
}

/** What operations on runs keep between their two dispatches, of a fixed size, and their parameters. */
export class RunScratch implements Disposable {
  readonly params: ParamRing;
  readonly #groupHeads: GpuBuffer;
  readonly #groupOperands: GpuBuffer;
  readonly #unwanted: GpuBuffer;
  readonly #tile: number;

  constructor(gpu: Gpu, label: string) {
    this.#tile = WIDTH * runItemsOn(gpu);
    const storage = GPUBufferUsage.STORAGE;
    this.params = new ParamRing(gpu, `${label}.params`);
    this.#groupHeads = gpu.createBuffer(`${label}.groupHeads`, 8 * MAX_GROUPS, storage);
    this.#groupOperands = gpu.createBuffer(`${label}.groupOperands`, 4 * MAX_GROUPS, storage);
    this.#unwanted = gpu.createBuffer(`${label}.unwanted`, 3 * PART_BYTES, storage);
  }

  get groupHeads(): GPUBuffer {
    return this.#groupHeads.buffer;
  }

  get groupOperands(): GPUBuffer {
    return this.#groupOperands.buffer;
  }

  /** Something to bind in place of output number `k`, 0 … 2, where it is not wanted; nothing is written there. */
  unwanted(k: number): BufferSlice {
    return {buffer: this.#unwanted.buffer, offset: k * PART_BYTES, size: PART_BYTES};
  }

  spread(atMost: number): TileSpread {
    return spreadTiles(atMost, this.#tile, MAX_GROUPS);
  }

  destroy(): void {
    this.params.destroy();
    this.#groupHeads.destroy();
    this.#groupOperands.destroy();
    this.#unwanted.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
