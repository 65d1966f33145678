import {createAll, Kernel, Owner, Scratch, type DeviceBitLabels, type Gpu} from '@epsball/gpu';
import {BitRanks} from '@epsball/gpu-primitives';
import {GpuUnionFind} from '@epsball/union-find/gpu';
import {bordersWgsl} from './borders.wgsl.ts';
import {cellUnionWgsl} from './cellUnion.wgsl.ts';
import {coreWgsl} from './core.wgsl.ts';
import {exactBordersWgsl} from './exactBorders.wgsl.ts';
import {exactCoreWgsl} from './exactCore.wgsl.ts';
import {exactUnionWgsl} from './exactUnion.wgsl.ts';
import {numberingWgsl} from './numbering.wgsl.ts';
import {pointUnionWgsl} from './pointUnion.wgsl.ts';
import {resultsWgsl} from './results.wgsl.ts';
import {bitWords, type StepInput} from './runBuffers.ts';

/** Workgroups that stride over points with undecided pairs, which are few except on lattices. */
const EXACT_GROUPS = {hardware: 1024, software: 1};

/**
 * From a grid to labels: core points, disjoint sets of cells with core points within eps of each other, and labels. A
 * step waits for pipelines only.
 */
export class Steps extends Owner {
  readonly #gpu: Gpu;
  readonly #unionFind: GpuUnionFind;
  readonly #bitRanks: BitRanks;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, unionFind: GpuUnionFind, bitRanks: BitRanks) {
    super();
    this.#gpu = gpu;
    this.#unionFind = this.own(unionFind);
    this.#bitRanks = this.own(bitRanks);
    this.#scratch = this.own(new Scratch(gpu, 'dbscan-dense-grid'));
  }

  static async create(gpu: Gpu): Promise<Steps> {
    return new Steps(gpu, ...(await createAll([GpuUnionFind.create(gpu), BitRanks.create(gpu)])));
  }

  /** Records the core test. */
  async encodeCore(encoder: GPUCommandEncoder, {grid, buffers, overrides, run}: StepInput): Promise<void> {
    const HAS_WEIGHTS = buffers.weightsBefore !== undefined;
    const [markCore, markCoreExactly] = await Promise.all([
      Kernel.create(this.#gpu, coreWgsl, 'markCore', {...overrides.narrowed, HAS_WEIGHTS}),
      Kernel.create(this.#gpu, exactCoreWgsl, 'markCoreExactly', {...grid.overrides, HAS_WEIGHTS}),
    ]);
    // Without weights kernels do not read them, but bind a buffer.
    const {weightsBefore = grid.bindings.cellIds} = buffers;
    const bound = {...grid.bindings, ...buffers, weightsBefore};
    run.record(encoder, 'core', (pass) => {
      markCore.dispatchOver(pass, markCore.bind(bound), grid.n);
      markCoreExactly.dispatch(pass, markCoreExactly.bind(bound), this.#exactGroups());
    });
  }

  /** Returns a function that records the union of sets, behind the core test. */
  async prepareUnion({grid, buffers, overrides, run}: StepInput): Promise<(encoder: GPUCommandEncoder) => void> {
    const [uniteAdjacent, uniteReached, unitePoints, uniteSetsExactly] = await Promise.all([
      Kernel.create(this.#gpu, cellUnionWgsl, 'uniteAdjacent', overrides.cells),
      Kernel.create(this.#gpu, cellUnionWgsl, 'uniteReached', overrides.cells),
      Kernel.create(this.#gpu, pointUnionWgsl, 'unitePoints', overrides.narrowed),
      Kernel.create(this.#gpu, exactUnionWgsl, 'uniteSetsExactly', overrides.exact),
    ]);
    const {n} = grid;
    const bound = {...grid.bindings, ...buffers};
    return (encoder) =>
      run.record(encoder, 'clusters', (pass) => {
        this.#unionFind.encodeMakeSets(pass, {parent: buffers.parent, n});
        if (overrides.exact.HAS_WHOLE_CELLS) {
          uniteAdjacent.dispatchOver(pass, uniteAdjacent.bind(bound), n);
          uniteReached.dispatchOver(pass, uniteReached.bind(bound), n);
        }
        unitePoints.dispatchOver(pass, unitePoints.bind(bound), n);
        uniteSetsExactly.dispatch(pass, uniteSetsExactly.bind(bound), this.#exactGroups());
      });
  }

  /**
   * Returns a function that records the labels of all points, behind the union: clusters are numbered by their smallest
   * core point, and a border point takes its lowest label.
   */
  async prepareLabels(step: StepInput): Promise<(encoder: GPUCommandEncoder) => DeviceBitLabels> {
    const {grid, buffers, overrides, run} = step;
    const {HAS_WHOLE_CELLS} = overrides.exact;
    const [findFirsts, markFirsts, labelCores, labelBorders, labelBordersExactly, writeListed] = await Promise.all([
      Kernel.create(this.#gpu, numberingWgsl, 'findFirsts', {HAS_WHOLE_CELLS}),
      Kernel.create(this.#gpu, numberingWgsl, 'markFirsts'),
      Kernel.create(this.#gpu, numberingWgsl, 'labelCores', {HAS_WHOLE_CELLS}),
      Kernel.create(this.#gpu, bordersWgsl, 'labelBorders', overrides.narrowed),
      Kernel.create(this.#gpu, exactBordersWgsl, 'labelBordersExactly', overrides.exact),
      Kernel.create(this.#gpu, exactBordersWgsl, 'writeListed'),
    ]);
    const {firstBits, firstRanks, firstCores, labelsOut, coreBits} = buffers;
    const {n, pointOrder} = grid;
    const bound = {...grid.bindings, ...buffers, pointOrder};
    const words = bitWords(n);
    return (encoder) => {
      encoder.clearBuffer(firstCores, 0, 4 * n);
      run.record(encoder, 'borders', (pass) => {
        findFirsts.dispatchOver(pass, findFirsts.bind(bound), n);
        markFirsts.dispatchOver(pass, markFirsts.bind(bound), n);
        this.#bitRanks.encode(pass, {bits: firstBits, pairs: firstRanks, words});
        labelCores.dispatchOver(pass, labelCores.bind(bound), n);
        labelBorders.dispatchOver(pass, labelBorders.bind(bound), n);
        labelBordersExactly.dispatch(pass, labelBordersExactly.bind(bound), this.#exactGroups());
        writeListed.dispatch(pass, writeListed.bind(bound), this.#exactGroups());
      });
      // Behind the last pair's 0 the number of all bits.
      return {labels: labelsOut, coreBits, clusterCount: {buffer: firstRanks, offset: 8 * words + 4}};
    };
  }

  /** Records the core mask of one byte a point, for callers on the device. */
  async encodeMask(encoder: GPUCommandEncoder, {grid, buffers, run}: StepInput): Promise<GPUBuffer> {
    const kernel = await Kernel.create(this.#gpu, resultsWgsl, 'writeCoreMask');
    const coreMaskOut = this.#scratch.take('coreMask', grid.n + 3);
    const group = kernel.bind({coreBits: buffers.coreBits, coreMaskOut, grid: grid.bindings.grid});
    run.record(encoder, 'readBack', (pass) => kernel.dispatchOver(pass, group, Math.ceil(grid.n / 4)));
    return coreMaskOut;
  }

  #exactGroups(): readonly [number, number, number] {
    return [this.#gpu.pick(EXACT_GROUPS), 1, 1];
  }
}
