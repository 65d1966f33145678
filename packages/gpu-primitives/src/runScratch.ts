import {ParamRing, type BufferSlice, type Gpu, type GpuBuffer} from '@epsball/gpu';
import type {Teamwork} from './cooperation.ts';
import {sharingOn, type Sharing} from './tiles.ts';

/** Enough workgroups to fill a large GPU; each reads the results of all workgroups before it. */
const MAX_GROUPS = 2048;
/** An offset that every device allows for a binding. */
const PART_BYTES = 256;

/** Type of the keys of runs: one word, or two, the low one first. */
export type RunKey = 'u32' | 'u64';

/** The typed array for each kind of key. */
export interface RunKeyArrays {
  readonly u32: Uint32Array;
  readonly u64: BigUint64Array;
}

/** A new array of keys. */
export function runKeyArray<K extends RunKey>(key: K, length: number): RunKeyArrays[K];
export function runKeyArray(key: RunKey, length: number): RunKeyArrays[RunKey] {
  return key === 'u64' ? new BigUint64Array(length) : new Uint32Array(length);
}

/** Values of the override HEAD of runHeads.wgsl. */
export const HEADS = {u32: 0, u64: 1, flags: 2} as const;

/** How operations on runs divide their input. */
export function runSharingOn(gpu: Gpu, teamwork?: Teamwork): Sharing {
  return sharingOn(gpu, MAX_GROUPS, teamwork);
}

/** Buffers of fixed size that operations on runs use between their two dispatches, and their parameters. */
export class RunScratch implements Disposable {
  readonly params: ParamRing;
  readonly #groupHeads: GpuBuffer;
  readonly #groupOperands: GpuBuffer;
  readonly #unwanted: GpuBuffer;

  constructor(gpu: Gpu, label: string, {maxGroups}: Sharing) {
    const storage = GPUBufferUsage.STORAGE;
    this.params = new ParamRing(gpu, `${label}.params`);
    this.#groupHeads = gpu.createBuffer(`${label}.groupHeads`, 8 * maxGroups, storage);
    this.#groupOperands = gpu.createBuffer(`${label}.groupOperands`, 4 * maxGroups, storage);
    this.#unwanted = gpu.createBuffer(`${label}.unwanted`, 3 * PART_BYTES, storage);
  }

  get groupHeads(): GPUBuffer {
    return this.#groupHeads.buffer;
  }

  get groupOperands(): GPUBuffer {
    return this.#groupOperands.buffer;
  }

  /** A binding for output number `k`, 0 … 2, that is not requested; the kernel does not write it. */
  unwanted(k: number): BufferSlice {
    return {buffer: this.#unwanted.buffer, offset: k * PART_BYTES, size: PART_BYTES};
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
