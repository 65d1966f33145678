import {extendResult, type DbscanOutputOptions, type DbscanResult} from '@epsball/clustering';
import type {Gpu} from '../gpu.ts';
import {ReadBack} from '../transfer/readBack.ts';
import {expandBits} from './coreMask.ts';
import {Owner} from '../owner.ts';

export interface DeviceWord {
  readonly buffer: GPUBuffer;
  /** Bytes before it. */
  readonly offset: number;
}

/** Labels on the device, in the caller's order. */
export interface DeviceLabels {
  readonly labels: GPUBuffer;
  /** One byte a point, four to a word. */
  readonly coreMask: GPUBuffer;
  readonly clusterCount: DeviceWord;
}

/** The same with core flags of one bit a point, lowest bit first: an eighth of the bytes to transfer. */
export interface DeviceBitLabels extends Omit<DeviceLabels, 'coreMask'> {
  readonly coreBits: GPUBuffer;
}

/** Labels that the device is sending to the host. */
export interface ComingLabels {
  /** Waits. The core mask may be computed when it is first read: add `stats` with `extendResult`. */
  take(output?: DbscanOutputOptions): Promise<Omit<DbscanResult, 'stats'>>;
  /** Waits, and drops them: the labels were not final. */
  drop(): Promise<void>;
}

/** Brings labels, core flags and the number of clusters to the host with one wait. One read at a time. */
export class LabelReadBack extends Owner {
  readonly #readBack: ReadBack;

  constructor(gpu: Gpu, label: string) {
    super();
    this.#readBack = this.own(new ReadBack(gpu, label));
  }

  /** Records the copies behind the kernels that make the labels. Call the returned function after the submit. */
  encode(encoder: GPUCommandEncoder, n: number, found: DeviceLabels | DeviceBitLabels): () => ComingLabels {
    const {labels, clusterCount} = found;
    const isBits = 'coreBits' in found;
    const flags = isBits
      ? {source: found.coreBits, bytes: 4 * Math.ceil(n / 32)}
      : {source: found.coreMask, bytes: 4 * Math.ceil(n / 4)};
    const count = {source: clusterCount.buffer, offset: clusterCount.offset, bytes: 4};
    const ask = this.#readBack.encode(encoder, [{source: labels, bytes: 4 * n}, flags, count]);
    return () => {
      const coming = ask();
      return {
        take: async (output = {}) => {
          const target = targetOf(n, output);
          const receive = (memory: ArrayBuffer, [, flagsAt, countAt]: readonly number[]): Received => {
            const inMemory = new Int32Array(memory, 0, n);
            target?.set(inMemory);
            const coreFlags = new Uint8Array(memory, flagsAt, isBits ? flags.bytes : n);
            return {
              labels: target ?? inMemory,
              clusterCount: new Uint32Array(memory, countAt, 1)[0],
              ...(isBits ? {bits: coreFlags.slice()} : {mask: filled(output.coreMask, coreFlags)}),
            };
          };
          if (target !== undefined) return resultOf(n, await coming.take(receive), output);
          const result = resultOf(n, await coming.hold(receive), output);
          return extendResult(result, {release: () => coming.release()});
        },
        drop: () => coming.drop(),
      };
    };
  }
}

interface Received {
  readonly labels: Int32Array;
  readonly clusterCount: number;
  readonly bits?: Uint8Array;
  readonly mask?: Uint8Array;
}

/** The first write to a page of a new array takes 2 µs. The device is at work now, so all are written here. */
function targetOf(n: number, {labels = 'owned'}: DbscanOutputOptions): Int32Array | undefined {
  if (labels === 'borrowed') return undefined;
  return labels === 'owned' ? new Int32Array(n).fill(0) : labels;
}

function filled(target: Uint8Array | undefined, flags: Uint8Array): Uint8Array {
  if (target === undefined) return flags.slice();
  target.set(flags);
  return target;
}

function resultOf(
  n: number,
  {labels, clusterCount, bits, mask}: Received,
  {coreMask}: DbscanOutputOptions,
): Omit<DbscanResult, 'stats'> {
  if (bits === undefined) return {labels, coreMask: mask ?? new Uint8Array(n), clusterCount};
  if (coreMask !== undefined) return {labels, coreMask: expandBits(bits, coreMask), clusterCount};
  let expanded: Uint8Array | undefined;
  return {
    labels,
    get coreMask() {
      return (expanded ??= expandBits(bits, new Uint8Array(n)));
    },
    clusterCount,
  };
}
