import {Kernel, ParamRing, ReadBack, Scratch, type Gpu, type GpuRun} from '@epsball/gpu';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';
import {mergeGroupsWgsl} from './mergeGroups.wgsl.ts';
import {VectorIndex, type IndexedVectors} from '../points/vectorIndex.ts';
import type {VectorScale} from '../points/vectorScale.ts';

/** Rounds between two read-backs of the host. */
const ROUNDS_PER_BATCH = 8;

/** Groups of modes on the device, as meanGroups of groups.wgsl computes them. */
export interface GroupsToMerge {
  readonly means: GPUBuffer;
  readonly sizes: GPUBuffer;
  readonly firsts: GPUBuffer;
  readonly count: number;
  readonly dim: number;
  readonly scale: VectorScale;
  /** In device units. */
  readonly radius: number;
}

/** Finds the centre of every group on the device: many groups would take the host long. */
export class DeviceMerge {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #index: VectorIndex;
  readonly #params: ParamRing;
  readonly #reader: ReadBack;

  private constructor(gpu: Gpu, scratch: Scratch, index: VectorIndex) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#index = index;
    this.#params = new ParamRing(gpu, 'mean-shift/merge.params', 16);
    this.#reader = new ReadBack(gpu, 'mean-shift/merge');
  }

  static async create(gpu: Gpu): Promise<DeviceMerge> {
    // A separate grid: that of the points is still in use.
    const scratch = new Scratch(gpu, 'mean-shift/merge');
    return new DeviceMerge(gpu, scratch, await VectorIndex.create(gpu, scratch));
  }

  /**
   * Merges groups as `mergeGroups` does.
   *
   * @returns  for each group: the group that is the centre of its cluster
   * @throws RunAbortedError  if the signal has fired
   */
  async run(groups: GroupsToMerge, run: GpuRun<MeanShiftPhase>): Promise<Int32Array> {
    const {means: points, count, dim, radius} = groups;
    // Rounded means may lie slightly outside the box.
    const {min, max} = groups.scale;
    const scale = {...groups.scale, max: max.map((high, d) => high + (high - min[d] + radius) * 2 ** -16)};
    const indexed = await this.#index.build({points, n: count, dim, scale, radius}, run, 'labels');
    const {grid} = indexed;
    if (grid === undefined) throw new Error('groups of modes without a radius');
    const rounds = await this.#prepare(groups, indexed, grid);
    run.submit('labels', rounds.gather);
    // Each round settles at least the largest open group. There are far fewer rounds than groups.
    for (let open = count; open > 0;) {
      this.#gpu.device.queue.writeBuffer(rounds.openCounts, 0, new Uint32Array(ROUNDS_PER_BATCH));
      await run.makeRoom();
      run.submit('labels', (pass) => {
        for (let word = 0; word < ROUNDS_PER_BATCH; word++) rounds.settle(pass, word);
      });
      const words = new Uint32Array(ROUNDS_PER_BATCH);
      await this.#reader.read(rounds.openCounts, words);
      open = words[ROUNDS_PER_BATCH - 1];
      run.throwIfAborted('labels');
    }
    run.submit('labels', rounds.assign);
    const centerOf = new Int32Array(count);
    await this.#reader.read(rounds.centerOf, centerOf);
    return centerOf;
  }

  async #prepare(
    {sizes, firsts, count, scale, radius}: GroupsToMerge,
    indexed: IndexedVectors,
    grid: GpuGrid,
  ): Promise<Rounds> {
    const take = (what: string, words: number): GPUBuffer => this.#scratch.take(what, 4 * words);
    const {DIM, IS_SPARSE} = grid.overrides;
    const overrides = {BLOCKS: scale.blocks, DIM, IS_SPARSE};
    const [gather, settle, assign] = await Promise.all([
      Kernel.create(this.#gpu, mergeGroupsWgsl, 'gatherGroups'),
      Kernel.create(this.#gpu, mergeGroupsWgsl, 'settleGroups', overrides),
      Kernel.create(this.#gpu, mergeGroupsWgsl, 'assignCenters', overrides),
    ]);
    const paramsOf = (word: number): ReturnType<ParamRing['write']> =>
      this.#params.write(mergeGroupsWgsl.structs.MergeParams, {count, radius2: radius * radius, word});
    const states = take('states', count);
    const openCounts = take('openCounts', ROUNDS_PER_BATCH);
    const [ranks, centerOf] = [take('ranks', 2 * count), take('centerOf', count)];
    const {cellStart, cellIds, cellAxes, grid: gridParams} = grid.bindings;
    const cells = {cellStart, cellIds, cellAxes, grid: gridParams};
    const shared = {means: indexed.points, ranks, states, ...cells};
    const groupOrder = indexed.pointOrder;
    const gathering = gather.bind({
      groupOrder,
      groupSizes: sizes,
      groupFirsts: firsts,
      ranksOut: ranks,
      states,
      params: paramsOf(0),
    });
    const settling = Array.from({length: ROUNDS_PER_BATCH}, (_, word) =>
      settle.bind({...shared, openCounts, params: paramsOf(word)}),
    );
    const assigning = assign.bind({...shared, groupOrder, centerOf, params: paramsOf(0)});
    return {
      openCounts,
      centerOf,
      gather: (pass) => gather.dispatchOver(pass, gathering, count),
      settle: (pass, word) => settle.dispatchOver(pass, settling[word], count),
      assign: (pass) => assign.dispatchOver(pass, assigning, count),
    };
  }

  destroy(): void {
    this.#index.destroy();
    this.#params.destroy();
    this.#reader.destroy();
    this.#scratch.destroy();
  }
}

/** What a run records. */
interface Rounds {
  readonly openCounts: GPUBuffer;
  readonly centerOf: GPUBuffer;
  readonly gather: (pass: GPUComputePassEncoder) => void;
  readonly settle: (pass: GPUComputePassEncoder, word: number) => void;
  readonly assign: (pass: GPUComputePassEncoder) => void;
}
