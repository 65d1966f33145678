import {checkInteger} from '@epsball/clustering';
import {Kernel, packStruct, wordOf, type Encode, type Gpu} from '@epsball/gpu';
import {frontierStructs} from './frontier.wgsl.ts';
import {frontierSwapWgsl} from './frontierSwap.wgsl.ts';
import {Primitive, type EncodeTarget} from './primitive.ts';

const {Frontier} = frontierStructs;

/** Buffers for a kernel that imports `gpu_primitives::frontier`, by binding name. */
export interface FrontierBindings {
  readonly frontier: GPUBuffer;
}

/** State of the queue, as `readState` returns it. */
export interface FrontierReport {
  /** Items of the current list. */
  readonly length: number;
  /** Whether an item did not fit since the last reset; such items are dropped. */
  readonly hasOverflowed: boolean;
}

/**
 * The two frontiers of a breadth-first search on the device. Kernels read one list and append to the other with an
 * atomic reservation. A swap between two dispatches writes the size of the next dispatch, so the host need not read it.
 *
 * An item that does not fit is dropped, and `readState` reports it. A frontier of distinct items needs room for all of
 * them.
 */
export class FrontierQueue extends Primitive<Kernel<typeof frontierSwapWgsl, 'swapAndRequest'>> {
  #swap: Encode | undefined;

  /** @param itemsPerGroup  items that one workgroup of the reading kernel takes; sets its indirect dispatch */
  static async create(gpu: Gpu, itemsPerGroup: number): Promise<FrontierQueue> {
    checkInteger('itemsPerGroup', itemsPerGroup, 1, 0x3fff_ffff, 'an integer, 1 … 2^30 − 1');
    const overrides = {ITEMS_PER_GROUP: itemsPerGroup};
    const swap = await Kernel.create(gpu, frontierSwapWgsl, 'swapAndRequest', overrides);
    return new FrontierQueue(gpu, 'frontier', swap);
  }

  /** Empties both lists and makes room for `capacity` items in each: 8 bytes per item. A queue write, not an encode. */
  reset(capacity: number): void {
    checkInteger('capacity', capacity, 0, 0x3fff_ffff, 'an integer, 0 … 2^30 − 1');
    const {frontier, frontierGroups} = this.#buffers(capacity);
    const state = packStruct(Frontier, {length: 0, half: 0, capacity, hasOverflowed: 0, nextLength: 0, items: []});
    this.gpu.device.queue.writeBuffer(frontier, 0, state);
    this.gpu.device.queue.writeBuffer(frontierGroups, 0, Uint32Array.of(0, 1, 1));
    this.#swap = this.parts.encode({frontier, frontierGroups}, [1, 1, 1]);
  }

  /** Bindings for kernels that read or push. */
  get bindings(): FrontierBindings {
    return {frontier: this.#buffers(0).frontier};
  }

  /** The size of the next indirect dispatch, at offset 0. Only kernels that request groups bind it as writable. */
  get frontierGroups(): GPUBuffer {
    return this.#buffers(0).frontierGroups;
  }

  /** Records the swap: one dispatch of one invocation. */
  encodeSwap(target: EncodeTarget): void {
    if (!this.#swap) throw new Error('call reset() before the first swap of a frontier queue');
    this.record(target, this.#swap);
  }

  /** Reads the state after all submitted work; waits for the device. Before the first reset the queue is empty. */
  async readState(): Promise<FrontierReport> {
    if (!this.#swap) return {length: 0, hasOverflowed: false};
    const words = await this.readBack.read(this.bindings.frontier, new Uint32Array(Frontier.size / 4));
    return {
      length: words[wordOf(Frontier, 'length')],
      hasOverflowed: words[wordOf(Frontier, 'hasOverflowed')] === 1,
    };
  }

  #buffers(capacity: number): FrontierBindings & {readonly frontierGroups: GPUBuffer} {
    return {
      frontier: this.scratch.take('lists', Frontier.size + 8 * Math.max(1, capacity)),
      frontierGroups: this.scratch.take('groups', 12),
    };
  }
}
