import {Kernels, type Gpu, type Kernel} from '@epsball/gpu';
import {GpuUnionFind} from '@epsball/union-find/gpu';
import {cellUnionWgsl} from './cellUnion.wgsl.ts';
import {coreWgsl} from './core.wgsl.ts';
import {exactCoreWgsl} from './exactCore.wgsl.ts';
import {exactUnionWgsl} from './exactUnion.wgsl.ts';
import {exactWeightedCoreWgsl} from './exactWeightedCore.wgsl.ts';
import {cellOverrides, exactOverrides, narrowedOverrides} from './overrides.ts';
import {pointUnionWgsl} from './pointUnion.wgsl.ts';
import type {StepInput} from './runBuffers.ts';
import {weightedCoreWgsl} from './weightedCore.wgsl.ts';

/** Workgroups that stride over points with undecided pairs, which are few except on lattices. */
const EXACT_GROUPS = {hardware: 1024, software: 1};

interface UnionKernels {
  readonly uniteAdjacent: Kernel<typeof cellUnionWgsl, 'uniteAdjacent'>;
  readonly uniteReached: Kernel<typeof cellUnionWgsl, 'uniteReached'>;
  readonly unitePoints: Kernel<typeof pointUnionWgsl, 'unitePoints'>;
  readonly uniteSetsExactly: Kernel<typeof exactUnionWgsl, 'uniteSetsExactly'>;
}

/** Core points, and disjoint sets of cells with core points within eps of each other. */
export class CellSets implements Disposable {
  readonly #gpu: Gpu;
  readonly #kernels: Kernels;
  readonly #unionFind: GpuUnionFind;

  private constructor(gpu: Gpu, unionFind: GpuUnionFind) {
    this.#gpu = gpu;
    this.#kernels = new Kernels(gpu);
    this.#unionFind = unionFind;
  }

  static async create(gpu: Gpu): Promise<CellSets> {
    return new CellSets(gpu, await GpuUnionFind.create(gpu));
  }

  /** Records the core test; waits for pipelines only. */
  async encodeCore(encoder: GPUCommandEncoder, input: StepInput): Promise<void> {
    const {grid, buffers, run} = input;
    const {weightsBefore} = buffers;
    if (weightsBefore !== undefined) return this.#encodeWeightedCore(encoder, input, weightsBefore);
    const [markCore, markCoreExactly] = await Promise.all([
      this.#kernels.get(coreWgsl, 'markCore', narrowedOverrides(grid, buffers)),
      this.#kernels.get(exactCoreWgsl, 'markCoreExactly', grid.overrides),
    ]);
    const bound = {...grid.bindings, ...buffers};
    const groups = this.#gpu.pick(EXACT_GROUPS);
    run.record(encoder, 'core', (pass) => {
      markCore.dispatchOver(pass, markCore.bind(bound), grid.n);
      markCoreExactly.dispatch(pass, markCoreExactly.bind(bound), [groups, 1, 1]);
    });
  }

  async #encodeWeightedCore(
    encoder: GPUCommandEncoder,
    {grid, buffers, run}: StepInput,
    weightsBefore: GPUBuffer,
  ): Promise<void> {
    const [markWeightedCore, markExactly] = await Promise.all([
      this.#kernels.get(weightedCoreWgsl, 'markWeightedCore', narrowedOverrides(grid, buffers)),
      this.#kernels.get(exactWeightedCoreWgsl, 'markWeightedCoreExactly', grid.overrides),
    ]);
    const bound = {...grid.bindings, ...buffers, weightsBefore};
    const groups = this.#gpu.pick(EXACT_GROUPS);
    run.record(encoder, 'core', (pass) => {
      markWeightedCore.dispatchOver(pass, markWeightedCore.bind(bound), grid.n);
      markExactly.dispatch(pass, markExactly.bind(bound), [groups, 1, 1]);
    });
  }

  /** The kernels of `encodeUnion`. */
  async unionKernels({grid, buffers}: StepInput): Promise<UnionKernels> {
    const cells = cellOverrides(grid);
    const [uniteAdjacent, uniteReached, unitePoints, uniteSetsExactly] = await Promise.all([
      this.#kernels.get(cellUnionWgsl, 'uniteAdjacent', cells),
      this.#kernels.get(cellUnionWgsl, 'uniteReached', cells),
      this.#kernels.get(pointUnionWgsl, 'unitePoints', narrowedOverrides(grid, buffers)),
      this.#kernels.get(exactUnionWgsl, 'uniteSetsExactly', exactOverrides(grid, buffers)),
    ]);
    return {uniteAdjacent, uniteReached, unitePoints, uniteSetsExactly};
  }

  /** Records the union of sets, behind the core test. */
  encodeUnion(
    encoder: GPUCommandEncoder,
    {grid, buffers, run}: StepInput,
    {uniteAdjacent, uniteReached, unitePoints, uniteSetsExactly}: UnionKernels,
  ): void {
    const {parent, hasWholeCells} = buffers;
    const bound = {...grid.bindings, ...buffers};
    const groups = this.#gpu.pick(EXACT_GROUPS);
    run.record(encoder, 'clusters', (pass) => {
      this.#unionFind.encodeMakeSets(pass, {parent, n: grid.n});
      if (hasWholeCells) {
        uniteAdjacent.dispatchOver(pass, uniteAdjacent.bind(bound), grid.n);
        uniteReached.dispatchOver(pass, uniteReached.bind(bound), grid.n);
      }
      unitePoints.dispatchOver(pass, unitePoints.bind(bound), grid.n);
      uniteSetsExactly.dispatch(pass, uniteSetsExactly.bind(bound), [groups, 1, 1]);
    });
  }

  destroy(): void {
    this.#unionFind.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
