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
  take(output?: DbscanOutputOptions): Promise<Labels>;
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
    const isBits = 'coreBits' in found;
    const flags = isBits
      ? {source: found.coreBits, bytes: 4 * Math.ceil(n / 32)}
      : {source: found.coreMask, bytes: 4 * Math.ceil(n / 4)};
    const {buffer, offset} = found.clusterCount;
    const count = {source: buffer, offset, bytes: 4};
    const ask = this.#readBack.encode(encoder, [{source: found.labels, bytes: 4 * n}, flags, count]);
    return () => {
      const coming = ask();
      return {
        take: async (output = {}) => {
          const target = targetOf(n, output);
          const receive = (memory: ArrayBuffer, [, flagsAt, countAt]: readonly number[]): Labels => {
            const inMemory = new Int32Array(memory, 0, n);
            target?.set(inMemory);
            const labels = target ?? inMemory;
            const clusterCount = new Uint32Array(memory, countAt, 1)[0];
            const coreFlags = new Uint8Array(memory, flagsAt, isBits ? flags.bytes : n);
            if (isBits) return expandLater({labels, clusterCount}, coreFlags.slice(), n, output.coreMask);
            const coreMask = output.coreMask ?? new Uint8Array(n);
            coreMask.set(coreFlags);
            return {labels, coreMask, clusterCount};
          };
          if (target !== undefined) return coming.take(receive);
          return extendResult(await coming.hold(receive), {release: () => coming.release()});
        },
        drop: () => coming.drop(),
      };
    };
  }
}

type Labels = Omit<DbscanResult, 'stats'>;

/** The first write to a page of a new array takes 2 µs. The device is at work now, so all are written here. */
function targetOf(n: number, {labels = 'owned'}: DbscanOutputOptions): Int32Array | undefined {
  if (labels === 'borrowed') return undefined;
  return labels === 'owned' ? new Int32Array(n).fill(0) : labels;
}

/** @param target  receives the core mask at once. Without it the mask is computed when it is first read */
function expandLater(
  {labels, clusterCount}: Pick<Labels, 'labels' | 'clusterCount'>,
  bits: Uint8Array,
  n: number,
  target: Uint8Array | undefined,
): Labels {
  let expanded = target && expandBits(bits, target);
  return {
    labels,
    get coreMask() {
      return (expanded ??= expandBits(bits, new Uint8Array(n)));
    },
    clusterCount,
  };
}
