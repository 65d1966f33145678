import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, type Bindable, type Gpu} from '@epsball/gpu';
import {bindWords} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {histogramWgsl} from './histogram.wgsl.ts';
import {HostCalls} from './hostCalls.ts';
import {elementNumber, type Element, type ElementArrays} from './operators.ts';

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

interface HistogramKernels {
  readonly clearBins: Kernel<typeof histogramWgsl, 'clearBins'>;
  /** Absent where `countInBins` is faster. */
  readonly countInGroups?: Kernel<typeof histogramWgsl, 'countInGroups'>;
  readonly countInBins: Kernel<typeof histogramWgsl, 'countInBins'>;
}

/**
 * Counts words by bin; words outside all bins are ignored.
 *
 * Bins are exact on every adapter: values and edges compare as integers with the same order, for f32 IEEE 754
 * totalOrder (−NaN < −∞ < … < −0 < +0 < … < +∞ < NaN). Counts wrap at 2^32.
 *
 * @source  Podlozhnyuk 2007, Histogram calculation in CUDA
 */
export class Histogram<E extends Element = 'u32'> implements Disposable {
  readonly #gpu: Gpu;
  readonly #options: Required<HistogramOptions>;
  readonly #kernels: HistogramKernels;
  readonly #params: ParamRing;
  #host: HostCalls | undefined;

  private constructor(gpu: Gpu, options: Required<HistogramOptions>, kernels: HistogramKernels) {
    this.#gpu = gpu;
    this.#options = options;
    this.#kernels = kernels;
    this.#params = new ParamRing(gpu, 'gpu-primitives/histogram.params');
  }

  /** Compiles the pipelines; they serve every count and number of bins. */
  static create(gpu: Gpu, options?: HistogramOptions<'u32'>): Promise<Histogram>;
  static create<E extends Element>(gpu: Gpu, options: HistogramOptions<E> & {element: E}): Promise<Histogram<E>>;
  static async create(gpu: Gpu, options: HistogramOptions = {}): Promise<Histogram<Element>> {
    checkKnownOptions(options, ['bins', 'element', 'isAccumulating'], 'options', "an object such as {bins: 'edges'}");
    const {bins = 'numbers', element = 'u32', isAccumulating = false} = options;
    if (bins === 'numbers' && element !== 'u32') {
      throw new InvalidParameterError('element', element, "u32, or the option bins: 'edges'");
    }
    const overrides = {ELEMENT: elementNumber(element), HAS_EDGES: bins === 'edges', ITEMS};
    const [clearBins, countInBins] = await Promise.all([
      Kernel.create(gpu, histogramWgsl, 'clearBins'),
      Kernel.create(gpu, histogramWgsl, 'countInBins', overrides),
    ]);
    // SwiftShader runs a kernel with a barrier 30 times slower than one without.
    const isBarrierSlow = gpu.info.kind === 'bundled';
    const kernels = isBarrierSlow
      ? {clearBins, countInBins}
      : {
          clearBins,
          countInBins,
          countInGroups: await Kernel.create(gpu, histogramWgsl, 'countInGroups', {...overrides, TALLIES}),
        };
    return new Histogram<Element>(gpu, {bins, element, isAccumulating}, kernels);
  }

  /**
   * Records two dispatches, or one if the histogram accumulates. O(count) work (· log bins with edges), no scratch.
   *
   * @throws InvalidParameterError, GpuLimitError  for an invalid count, number of bins, buffer size or offset
   */
  encode(target: EncodeTarget, {input, edges, counts, bins, count}: HistogramBuffers): void {
    const atMost = atMostOf(count);
    if (!Number.isInteger(bins) || bins < 1 || bins > 0xffff_fffe) {
      throw new InvalidParameterError('bins', bins, 'an integer, 1 … 2^32 − 2');
    }
    const hasEdges = this.#options.bins === 'edges';
    if (!hasEdges && edges)
      throw new InvalidParameterError('edges', 'a buffer', "undefined, because bins is 'numbers'");
    if (hasEdges && !edges) throw new InvalidParameterError('edges', edges, "a buffer, because bins is 'edges'");
    const groups = Math.min(MAX_GROUPS, Math.ceil(atMost / (WIDTH * ITEMS)));
    const copyShift = Math.max(0, Math.min(MAX_COPY_SHIFT, Math.floor(Math.log2(TALLIES / bins))));
    const bound = bindWords(this.#gpu, 'input', input, atMost);
    const boundCounts = bindWords(this.#gpu, 'counts', counts, bins);
    const {params, deviceCount} = writeCounted(this.#params, histogramWgsl.structs.HistogramParams, count, {
      groups,
      bins,
      copyShift,
    });
    const {clearBins, countInGroups, countInBins} = this.#kernels;
    const countWords = (bins <= FEW_BINS ? countInGroups : undefined) ?? countInBins;
    const clear = clearBins.bind({counts: boundCounts, params});
    const group = countWords.bind({
      input: bound,
      // Without edges the kernel does not read this binding, but it must be bound.
      edges: hasEdges && edges ? bindWords(this.#gpu, 'edges', edges, bins + 1) : bound,
      counts: boundCounts,
      params,
      deviceCount,
    });
    encodeInto(target, 'gpu-primitives/histogram', (pass) => {
      if (!this.#options.isAccumulating) clearBins.dispatchOver(pass, clear, bins);
      if (groups > 0) countWords.dispatch(pass, group, foldDispatch(groups));
    });
  }

  /**
   * Counts the words of a typed array, without earlier counts: upload, work, read-back.
   *
   * @param by  the number of bins, or their edges, one more than bins
   * @returns   one count per bin
   */
  async run(values: ElementArrays[E], by: number | ElementArrays[E]): Promise<Uint32Array> {
    const isByNumber = this.#options.bins === 'numbers';
    if (isByNumber !== (typeof by === 'number')) {
      throw new InvalidParameterError('by', typeof by, isByNumber ? 'a number of bins' : 'an array of edges');
    }
    if (typeof by !== 'number' && by.length < 2)
      throw new InvalidParameterError('edges.length', by.length, 'at least 2');
    this.#host ??= new HostCalls(this.#gpu, 'gpu-primitives/histogram');
    return this.#host.run(async (call) => {
      const bins = typeof by === 'number' ? by : by.length - 1;
      const input = await call.upload(values);
      const edges = typeof by === 'number' ? {} : {edges: await call.upload(by)};
      // An accumulating histogram does not clear its counts.
      const counts = await call.upload(new Uint32Array(Math.max(0, bins)));
      call.submit((pass) => this.encode(pass, {input, ...edges, counts, bins, count: values.length}));
      return call.read(counts, new Uint32Array(bins));
    });
  }

  destroy(): void {
    this.#host?.destroy();
    this.#params.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
