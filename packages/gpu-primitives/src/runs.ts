import {Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {writeCounted, atMostOf, type Count} from './count.ts';
import {numberOf, type operatorOverrides} from './operators.ts';
import {Primitive, type EncodeTarget} from './primitive.ts';
import {runsWgsl} from './runs.wgsl.ts';
import {segmentsStructs} from './segments.wgsl.ts';
import {shareSegmentsWgsl} from './shareSegments.wgsl.ts';
import {type Teamwork, sharingOn, type Sharing} from './tiles.ts';

/** Enough workgroups to fill a large GPU; each reads the results of all workgroups before it. */
const MAX_RUN_GROUPS = 2048;
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
export abstract class RunWriter<K extends RunKey, Own = unknown> extends Primitive<RunParts<K> & Own> {
  /** @param totalsName  of the output `totals`, in errors */
  protected encodeRuns(target: EncodeTarget, totalsName: string, buffers: RunBuffers): void {
    const {keys, values, runCount, count} = buffers;
    const {key, sharing, reduce, write} = this.parts;
    const atMost = atMostOf(count);
    const keyWords = key === 'u64' ? 2 * atMost : atMost;
    const shares = sharing.sharesOf(atMost);
    const counts = sharing.dispatchFor(shares.groups);
    const wanted = OUTPUTS.reduce((bits, name, k) => bits | (buffers[name] ? 1 << k : 0), 0);
    const boundKeys = this.bind('keys', keys, keyWords);
    const shared = {
      keys: boundKeys,
      values: values ? this.bind('values', values, atMost) : boundKeys,
      shareSegments: this.fixed('shareSegments'),
      ...writeCounted(this.params, segmentsStructs.RunsParams, count, {...shares, wanted}),
    };
    const {uniqueKeys, starts, totals} = buffers;
    const written = {
      ...shared,
      uniqueKeys: uniqueKeys ? this.bind('uniqueKeys', uniqueKeys, keyWords) : this.#unwanted(0),
      starts: starts ? this.bind('starts', starts, atMost) : this.#unwanted(1),
      totals: totals ? this.bind(totalsName, totals, atMost) : this.#unwanted(2),
      runCount: this.bind('runCount', runCount, 1),
    };
    this.record(target, reduce.encode(shared, counts), write.encode(written, counts));
  }

  /** A binding for an output that is not requested; the kernel does not write it. */
  #unwanted(k: number): {buffer: GPUBuffer; offset: number; size: number} {
    return {buffer: this.fixed('unwanted'), offset: k * PART_BYTES, size: PART_BYTES};
  }
}

export type ShareKernel = Kernel<typeof shareSegmentsWgsl, 'reduceGroups' | 'reduceAlone'>;

interface RunParts<K extends RunKey> {
  readonly key: K;
  readonly sharing: Sharing;
  readonly reduce: ShareKernel;
  readonly write: Kernel<typeof runsWgsl, 'writeRuns' | 'writeAlone'>;
}

type Operation = Readonly<Record<string, number | boolean>>;

/** Compiles the first kernel of operations on runs. */
export async function compileShares<Overrides extends Operation>(
  gpu: Gpu,
  cooperation: Teamwork | undefined,
  operation: Overrides,
): Promise<{
  sharing: Sharing;
  reduce: ShareKernel;
  overrides: Overrides & {ITEMS: number};
  scratch: Record<string, number>;
}> {
  const sharing = sharingOn(gpu, MAX_RUN_GROUPS, cooperation);
  const overrides = {...operation, ITEMS: sharing.ITEMS};
  const entry = sharing.isAlone ? 'reduceAlone' : 'reduceGroups';
  const reduce = await Kernel.create(gpu, shareSegmentsWgsl, entry, overrides);
  return {sharing, reduce, overrides, scratch: {shareSegments: segmentsStructs.Segment.size * sharing.maxGroups}};
}

export async function compileRuns<K extends RunKey>(
  gpu: Gpu,
  key: K,
  cooperation: Teamwork | undefined,
  operation: ReturnType<typeof operatorOverrides> | {readonly IS_LENGTH: true},
): Promise<[parts: RunParts<K>, scratch: Record<string, number>]> {
  const HEAD = numberOf<RunKey>('key', key, {u32: HEADS.u32, u64: HEADS.u64});
  const {sharing, reduce, overrides, scratch} = await compileShares(gpu, cooperation, {...operation, HEAD});
  const write = await Kernel.create(gpu, runsWgsl, sharing.isAlone ? 'writeAlone' : 'writeRuns', overrides);
  return [
    {key, sharing, reduce, write},
    {...scratch, unwanted: OUTPUTS.length * PART_BYTES},
  ];
}
