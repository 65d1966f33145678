import {checkInteger, checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import {foldDispatch, Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {writeCounted, atMostOf, type Count} from './count.ts';
import {histogramWgsl} from './histogram.wgsl.ts';
import {elementNumber, type Element, type ElementArrays} from './operators.ts';
import {Primitive, type EncodeTarget} from './primitive.ts';

/** Invocations per workgroup in histogram.wgsl, and words per invocation and tile. */
const WIDTH = 256;
const ITEMS = 16;
/** Enough workgroups to fill a large GPU; each adds its counts to the bins once. */
const MAX_GROUPS = 1024;
/** Counters per workgroup, 16 KiB, which every device has; and copies per bin: one per memory bank is enough. */
const TALLIES = 4096;
const MAX_COPY_SHIFT = 5;
/** Bins that fit in workgroup memory with two copies each. */
const FEW_BINS = 2048;

export interface HistogramOptions<E extends Element = Element> {
  /** `numbers`: a word is the number of its bin. `edges`: ascending values bound the bins. Default: `numbers`. */
  readonly bins?: 'numbers' | 'edges';
  /** Type of words and edges; bin numbers are u32. Default: `u32`. */
  readonly element?: E;
  /** Adds to the contents of `counts` instead of clearing them first. Default: false. */
  readonly isAccumulating?: boolean;
}

export interface HistogramBuffers {
  /** `count` words; not modified. */
  readonly input: Bindable;
  /** `bins` + 1 words, ascending, for bins by edges only. Bin k holds edges[k] ≤ x < edges[k + 1]. Not modified. */
  readonly edges?: Bindable;
  /** Receives `bins` counts; must not overlap the others. */
  readonly counts: Bindable;
  /** Number of bins, integer ≥ 1. */
  readonly bins: number;
  readonly count: Count;
}

/**
 * Counts words by bin; words outside all bins are ignored.
 *
 * Bins are exact on every adapter: values and edges compare as integers with the same order, for f32 IEEE 754
 * totalOrder (−NaN < −∞ < … < −0 < +0 < … < +∞ < NaN). Counts wrap at 2^32.
 *
 * @source  Podlozhnyuk 2007, Histogram calculation in CUDA
 */
export class Histogram<E extends Element = 'u32'> extends Primitive<{
  readonly hasEdges: boolean;
  readonly isAccumulating: boolean;
  readonly clearBins: Kernel<typeof histogramWgsl, 'clearBins'>;
  readonly countInBins: Kernel<typeof histogramWgsl, 'countInBins'>;
  readonly countInGroups: Kernel<typeof histogramWgsl, 'countInGroups'> | undefined;
}> {
  /** Compiles the pipelines; they serve every count and number of bins. */
  static create<E extends Element = 'u32'>(gpu: Gpu, options?: HistogramOptions<E>): Promise<Histogram<E>>;
  static async create(gpu: Gpu, options: HistogramOptions = {}): Promise<Histogram<Element>> {
    checkKnownOptions(options, ['bins', 'element', 'isAccumulating'], 'options', "an object such as {bins: 'edges'}");
    const {bins = 'numbers', element = 'u32', isAccumulating = false} = options;
    if (bins === 'numbers' && element !== 'u32') {
      throw new InvalidParameterError('element', element, "u32, or the option bins: 'edges'");
    }
    const hasEdges = bins === 'edges';
    const overrides = {ELEMENT: elementNumber(element), HAS_EDGES: hasEdges, ITEMS};
    const [clearBins, countInBins, countInGroups] = await Promise.all([
      Kernel.create(gpu, histogramWgsl, 'clearBins'),
      Kernel.create(gpu, histogramWgsl, 'countInBins', overrides),
      // SwiftShader runs a kernel with a barrier 30 times slower than one without.
      gpu.info.kind === 'bundled'
        ? undefined
        : Kernel.create(gpu, histogramWgsl, 'countInGroups', {...overrides, TALLIES}),
    ]);
    const parts = {hasEdges, isAccumulating, clearBins, countInBins, countInGroups};
    return new Histogram<Element>(gpu, 'histogram', parts);
  }

  /** Records two dispatches, or one if it accumulates. Throws for an invalid count, size or offset. */
  encode(target: EncodeTarget, {input, edges, counts, bins, count}: HistogramBuffers): void {
    const atMost = atMostOf(count);
    checkInteger('bins', bins, 1, 0xffff_fffe, 'an integer, 1 … 2^32 − 2');
    const {hasEdges, isAccumulating, clearBins, countInBins, countInGroups} = this.parts;
    if (hasEdges !== (edges !== undefined)) {
      const expected = hasEdges ? "a buffer, because bins is 'edges'" : "undefined, because bins is 'numbers'";
      throw new InvalidParameterError('edges', edges && 'a buffer', expected);
    }
    const groups = Math.min(MAX_GROUPS, Math.ceil(atMost / (WIDTH * ITEMS)));
    const copyShift = Math.max(0, Math.min(MAX_COPY_SHIFT, Math.floor(Math.log2(TALLIES / bins))));
    const countWords = (bins <= FEW_BINS ? countInGroups : undefined) ?? countInBins;
    const bound = this.bind('input', input, atMost);
    const buffers = {
      input: bound,
      // Without edges the kernel does not read this binding, but it must be bound.
      edges: edges ? this.bind('edges', edges, bins + 1) : bound,
      counts: this.bind('counts', counts, bins),
      ...writeCounted(this.params, histogramWgsl.structs.HistogramParams, count, {groups, bins, copyShift}),
    };
    this.record(target, (pass) => {
      if (!isAccumulating) clearBins.dispatchOver(pass, clearBins.bind(buffers), bins);
      if (groups > 0) countWords.dispatch(pass, countWords.bind(buffers), foldDispatch(groups));
    });
  }

  /**
   * Counts the words of a typed array, without earlier counts: upload, work, read-back.
   *
   * @param by  the number of bins, or their edges, one more than bins
   * @returns   one count per bin
   */
  async run(values: ElementArrays[E], by: number | ElementArrays[E]): Promise<Uint32Array> {
    const {hasEdges} = this.parts;
    if (hasEdges !== (typeof by !== 'number')) {
      throw new InvalidParameterError('by', typeof by, hasEdges ? 'an array of edges' : 'a number of bins');
    }
    const bins = typeof by === 'number' ? by : by.length - 1;
    if (typeof by !== 'number' && bins < 1) throw new InvalidParameterError('edges.length', by.length, 'at least 2');
    return this.call(async ({upload, submit, read}) => {
      const input = await upload(values);
      const edges = typeof by === 'number' ? {} : {edges: await upload(by)};
      // An accumulating histogram does not clear its counts.
      const counts = await upload(new Uint32Array(Math.max(0, bins)));
      submit((pass) => this.encode(pass, {input, ...edges, counts, bins, count: values.length}));
      return read(counts, new Uint32Array(bins));
    });
  }
}
