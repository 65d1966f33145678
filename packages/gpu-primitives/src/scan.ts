import {checkKnownOptions} from '@epsball/clustering';
import {Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {writeCounted, atMostOf, type Count} from './count.ts';
import {elementArray, LIKE_MAX, operatorOverrides, type Element, type ElementArrays} from './operators.ts';
import {Primitive, type EncodeTarget} from './primitive.ts';
import type {ReduceOptions} from './reduce.ts';
import {scanWgsl} from './scan.wgsl.ts';
import {type Teamwork, sharingOn, type Sharing} from './tiles.ts';

/** Enough workgroups to fill a large GPU; each reads the totals of all workgroups before it. */
const MAX_GROUPS = 4096;

export interface ScanOptions<E extends Element = Element> extends ReduceOptions<E> {
  readonly isInclusive?: boolean;
  /** How invocations cooperate. Default: `none` on a CPU, else `workgroups`. */
  readonly cooperation?: Teamwork;
}

export interface ScanBuffers {
  /** `count` words; not modified. */
  readonly input: Bindable;
  /** Receives `count` words; must not overlap `input`. */
  readonly output: Bindable;
  readonly count: Count;
}

/**
 * Running combination of all words before each word (exclusive, the default) or up to it (inclusive).
 *
 * Integers are exact (sums wrap). Float sums are reproducible on one adapter for a count. A sum of d additions one
 * after another errs by d · 2^-24 · Σ|x|, to first order; d < 150 + count / 2^19 in workgroups, d < 400 + count / 2^13
 * with `cooperation: 'none'`. Float minimum and maximum follow IEEE 754 totalOrder. An exclusive scan begins with the
 * operator's identity: 0, or the largest or smallest value.
 *
 * @source  Merrill and Garland 2016, §2: reduce-then-scan (no workgroup waits for another)
 */
export class Scan<E extends Element = 'u32'> extends Primitive<{
  readonly element: E;
  readonly sharing: Sharing;
  readonly reduce: Kernel<typeof scanWgsl, 'reduceGroups' | 'reduceAlone'>;
  readonly scan: Kernel<typeof scanWgsl, 'scanGroups' | 'scanAlone'>;
}> {
  /** Compiles the pipelines; they serve every count. */
  static create<E extends Element = 'u32'>(gpu: Gpu, options?: ScanOptions<E>): Promise<Scan<E>>;
  static async create(gpu: Gpu, options: ScanOptions = {}): Promise<Scan<Element>> {
    checkKnownOptions(options, ['isInclusive', 'operator', 'element', 'cooperation'], 'options', LIKE_MAX);
    const {isInclusive = false, operator = 'sum', element = 'u32', cooperation} = options;
    const sharing = sharingOn(gpu, MAX_GROUPS, cooperation);
    const {isAlone, ITEMS, maxGroups} = sharing;
    const overrides = {...operatorOverrides(operator, element), ITEMS};
    const [reduce, scan] = await Promise.all([
      Kernel.create(gpu, scanWgsl, isAlone ? 'reduceAlone' : 'reduceGroups', overrides),
      Kernel.create(gpu, scanWgsl, isAlone ? 'scanAlone' : 'scanGroups', {...overrides, IS_INCLUSIVE: isInclusive}),
    ]);
    return new Scan<Element>(gpu, 'scan', {element, sharing, reduce, scan}, {totals: 4 * maxGroups});
  }

  /** Records two dispatches: O(count) work, O(1) scratch. Throws for an invalid count, buffer size or offset. */
  encode(target: EncodeTarget, {input, output, count}: ScanBuffers): void {
    const atMost = atMostOf(count);
    if (atMost === 0) return;
    const {sharing, reduce, scan} = this.parts;
    const shares = sharing.sharesOf(atMost);
    const counts = sharing.dispatchFor(shares.groups);
    const counted = writeCounted(this.params, scanWgsl.structs.ScanParams, count, {...shares});
    const shared = {input: this.bind('input', input, atMost), groupTotals: this.fixed('totals'), ...counted};
    const scanned = {...shared, output: this.bind('output', output, atMost)};
    this.record(target, reduce.encode(shared, counts), scan.encode(scanned, counts));
  }

  /** Scans a typed array into a new one: upload, scan, read-back. */
  async run(values: ElementArrays[E]): Promise<ElementArrays[E]> {
    return this.call(async ({upload, room, submit, read}) => {
      const input = await upload(values);
      const output = room(values.length);
      submit((pass) => this.encode(pass, {input, output, count: values.length}));
      return read(output, elementArray(this.parts.element, values.length));
    });
  }
}
