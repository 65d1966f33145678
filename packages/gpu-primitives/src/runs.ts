import {Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import type {Teamwork} from './cooperation.ts';
import {atMostOf, type Count} from './count.ts';
import {numberOf, type operatorOverrides} from './operators.ts';
import {Primitive, type EncodeTarget} from './primitive.ts';
import {runsWgsl} from './runs.wgsl.ts';
import {segmentsStructs} from './segments.wgsl.ts';
import {shareSegmentsWgsl} from './shareSegments.wgsl.ts';
import {sharingOn, type Sharing} from './tiles.ts';

/** Enough workgroups to fill a large GPU; each reads the results of all workgroups before it. */
export const MAX_RUN_GROUPS = 2048;
/** An offset that every device allows for a binding. */
const PART_BYTES = 256;

/** Type of the keys of runs: one word, or two, the low one first. */
export type RunKey = 'u32' | 'u64';

/** The typed array for each kind of key. */
export interface RunKeyArrays {
  readonly u32: Uint32Array;
  readonly u64: BigUint64Array;
}

export function runKeyArray<K extends RunKey>(key: K, length: number): RunKeyArrays[K];
export function runKeyArray(key: RunKey, length: number): RunKeyArrays[RunKey] {
  return key === 'u64' ? new BigUint64Array(length) : new Uint32Array(length);
}

export const HEADS = {u32: 0, u64: 1, flags: 2} as const;

/** Outputs of runs.wgsl, in the order of the bits of `RunsParams.wanted`. */
const OUTPUTS = ['uniqueKeys', 'starts', 'totals'] as const;

interface RunBuffers {
  readonly keys: Bindable;
  /** Without values the totals are lengths. */
  readonly values?: Bindable;
  readonly uniqueKeys?: Bindable | undefined;
  readonly starts?: Bindable | undefined;
  readonly totals?: Bindable | undefined;
  readonly runCount: Bindable;
  readonly count: Count;
}

/** Operations that write one word per run of equal neighbouring keys. */
export abstract class RunWriter<K extends RunKey> extends Primitive {
  protected readonly key: K;
  readonly #sharing: Sharing;
  readonly #kernels: RunKernels;

  protected constructor(gpu: Gpu, name: string, key: K, {sharing, kernels}: Compiled) {
    super(gpu, name);
    this.key = key;
    this.#sharing = sharing;
    this.#kernels = kernels;
    this.#shareSegments();
    this.#unwanted(0);
  }

  /** @param totalsName  of the output `totals`, in errors */
  protected encodeRuns(target: EncodeTarget, totalsName: string, buffers: RunBuffers): void {
    const {keys, values, runCount, count} = buffers;
    const [reduce, write] = this.#kernels;
    const atMost = atMostOf(count);
    const keyWords = this.key === 'u64' ? 2 * atMost : atMost;
    const shares = this.#sharing.sharesOf(atMost);
    const counts = this.#sharing.dispatchFor(shares.groups);
    const wanted = OUTPUTS.reduce((bits, name, k) => bits | (buffers[name] ? 1 << k : 0), 0);
    const boundKeys = this.bind('keys', keys, keyWords);
    const shared = {
      keys: boundKeys,
      values: values ? this.bind('values', values, atMost) : boundKeys,
      shareSegments: this.#shareSegments(),
      ...this.counted(segmentsStructs.RunsParams, count, {...shares, wanted}),
    };
    const {uniqueKeys, starts, totals} = buffers;
    const written = write.bind({
      ...shared,
      uniqueKeys: uniqueKeys ? this.bind('uniqueKeys', uniqueKeys, keyWords) : this.#unwanted(0),
      starts: starts ? this.bind('starts', starts, atMost) : this.#unwanted(1),
      totals: totals ? this.bind(totalsName, totals, atMost) : this.#unwanted(2),
      runCount: this.bind('runCount', runCount, 1),
    });
    this.dispatch(target, [reduce, reduce.bind(shared), counts], [write, written, counts]);
  }

  #shareSegments(): GPUBuffer {
    return this.scratch.take('shareSegments', segmentsStructs.Segment.size * this.#sharing.maxGroups);
  }

  /** A binding for an output that is not requested; the kernel does not write it. */
  #unwanted(k: number): {buffer: GPUBuffer; offset: number; size: number} {
    const buffer = this.scratch.take('unwanted', OUTPUTS.length * PART_BYTES);
    return {buffer, offset: k * PART_BYTES, size: PART_BYTES};
  }
}

type RunKernels = readonly [
  Kernel<typeof shareSegmentsWgsl, 'reduceGroups' | 'reduceAlone'>,
  Kernel<typeof runsWgsl, 'writeRuns' | 'writeAlone'>,
];

interface Compiled {
  readonly sharing: Sharing;
  readonly kernels: RunKernels;
}

export async function compileRuns(
  gpu: Gpu,
  key: RunKey,
  cooperation: Teamwork | undefined,
  operation: ReturnType<typeof operatorOverrides> | {readonly IS_LENGTH: true},
): Promise<Compiled> {
  const sharing = sharingOn(gpu, MAX_RUN_GROUPS, cooperation);
  const {isAlone, ITEMS} = sharing;
  const overrides = {...operation, HEAD: numberOf('key', key, {u32: HEADS.u32, u64: HEADS.u64}), ITEMS};
  const kernels = await Promise.all([
    Kernel.create(gpu, shareSegmentsWgsl, isAlone ? 'reduceAlone' : 'reduceGroups', overrides),
    Kernel.create(gpu, runsWgsl, isAlone ? 'writeAlone' : 'writeRuns', overrides),
  ]);
  return {sharing, kernels};
}
