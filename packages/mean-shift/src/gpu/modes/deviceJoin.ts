import {
  foldDispatch,
  Kernel,
  ParamRing,
  ReadBack,
  Scratch,
  type BufferSlice,
  type Gpu,
  type GpuRun,
} from '@epsball/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';
import {joiningCells} from '../../modes/joinModes.ts';
import {VectorIndex} from '../points/vectorIndex.ts';
import type {VectorScale} from '../points/vectorScale.ts';
import {joinGroupsWgsl} from './joinGroups.wgsl.ts';

/** Groups in a submission: tens of milliseconds. */
const GROUPS_PER_SUBMISSION = {hardware: 2 ** 18, software: 2 ** 12};

/** Error of the difference of two float32 coordinates, of the largest coordinate. Modes on the border are near. */
const BORDER = 2 ** -22;

/** Groups of modes on the device whose modes are near each other. */
export interface GroupsToJoin {
  /** Of the modes. */
  readonly positions: GPUBuffer;
  readonly m: number;
  /** Mode at each rank, and first rank of each group. */
  readonly sorted: GPUBuffer;
  readonly starts: GPUBuffer;
  readonly means: GPUBuffer;
  readonly count: number;
  readonly domains: readonly number[];
  readonly scale: VectorScale;
  /** In device units. */
  readonly radius: number;
  /** Invocations for a group, a power of two. */
  readonly width: number;
}

/** Joins groups of near modes, and chains of them, on the device. */
export class DeviceJoin {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #index: VectorIndex;
  readonly #params: ParamRing;
  readonly #reader: ReadBack;

  private constructor(gpu: Gpu, scratch: Scratch, index: VectorIndex) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#index = index;
    this.#params = new ParamRing(gpu, 'mean-shift/join.params', 8);
    this.#reader = new ReadBack(gpu, 'mean-shift/join');
  }

  static async create(gpu: Gpu): Promise<DeviceJoin> {
    // A separate grid: that of the points is still in use.
    const scratch = new Scratch(gpu, 'mean-shift/join');
    return new DeviceJoin(gpu, scratch, await VectorIndex.create(gpu, scratch));
  }

  /**
   * Joins groups as `joinModesResumably` does, in float32.
   *
   * @returns  for each group: a group of its cluster, the same one for all
   * @throws RunAbortedError  if the signal has fired
   */
  async run(groups: GroupsToJoin, run: GpuRun<MeanShiftPhase>): Promise<Int32Array> {
    const {count} = groups;
    const steps = await this.#prepare(groups, run);
    run.submit('labels', steps.box);
    const most = this.#gpu.pick(GROUPS_PER_SUBMISSION);
    for (let first = 0; first < count; first += most) {
      await run.makeRoom();
      run.throwIfAborted('labels');
      const join = steps.joinFrom(first);
      run.submit('labels', (pass) => join(pass, Math.min(most, count - first)));
    }
    run.submit('labels', steps.own);
    const owners = new Int32Array(count);
    await this.#reader.read(steps.ownerOf, owners);
    return owners;
  }

  /** Sorts the groups into a grid, and binds the kernels. */
  async #prepare(groups: GroupsToJoin, run: GpuRun<MeanShiftPhase>): Promise<Steps> {
    const {count, domains, scale, width: WIDTH, positions, sorted, starts} = groups;
    const {min, max, blocks: BLOCKS} = scale;
    const farthest = max.reduce((most, high, d) => Math.max(most, high, -min[d]), 0);
    const radius = groups.radius + BORDER * farthest;
    const dim = domains.reduce((sum, axes) => sum + axes);
    // On an axis the mean of a group is within a cell of its modes. Rounded means may lie slightly outside the box.
    const reach = radius * (1 + 2 / joiningCells(domains) + 2 ** -10);
    const wider = {...scale, max: max.map((high, d) => high + (high - min[d] + radius) * 2 ** -16)};
    const toIndex = {points: groups.means, n: count, dim, scale: wider, radius: reach};
    const {grid, pointOrder: groupOrder} = await this.#index.build(toIndex, run, 'labels');
    if (grid === undefined) throw new Error('groups of modes without a radius');
    const {DIM, IS_SPARSE} = grid.overrides;
    const [box, join, own] = await Promise.all([
      Kernel.create(this.#gpu, joinGroupsWgsl, 'boxSlots', {BLOCKS, WIDTH}),
      Kernel.create(this.#gpu, joinGroupsWgsl, 'joinSlots', {BLOCKS, WIDTH, DIM, IS_SPARSE}),
      Kernel.create(this.#gpu, joinGroupsWgsl, 'ownGroups'),
    ]);
    const ends = endsOf(domains);
    const paramsOf = (first: number): BufferSlice => {
      const params = {groups: count, modes: groups.m, axes: dim, ends, radius2: radius * radius, first};
      return this.#params.write(joinGroupsWgsl.structs.JoinParams, params);
    };
    const take = (what: string, words: number): GPUBuffer => this.#scratch.take(what, 4 * words);
    const [parent, ranges, boxes] = [
      take('parent', count),
      take('ranges', 2 * count),
      take('boxes', 8 * BLOCKS * count),
    ];
    const ownerOf = take('ownerOf', count);
    const modes = {positions, sorted, parent};
    const arrays = {...modes, starts, groupOrder, rangesOut: ranges, boxesOut: boxes};
    const boxing = box.bind({...arrays, params: paramsOf(0)});
    const owning = own.bind({groupOrder, parent, ownerOf, params: paramsOf(0)});
    const {cellStart, cellIds, cellAxes, grid: gridParams} = grid.bindings;
    return {
      ownerOf,
      box: (pass) => box.dispatch(pass, boxing, foldDispatch(count)),
      joinFrom: (first) => {
        const cells = {cellStart, cellIds, cellAxes, grid: gridParams};
        const joining = join.bind({...modes, ...cells, ranges, boxes, params: paramsOf(first)});
        return (pass, part) => join.dispatch(pass, joining, foldDispatch(part));
      },
      own: (pass) => own.dispatchOver(pass, owning, count),
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
interface Steps {
  readonly ownerOf: GPUBuffer;
  readonly box: (pass: GPUComputePassEncoder) => void;
  /** From one group on, so many of them. */
  readonly joinFrom: (first: number) => (pass: GPUComputePassEncoder, part: number) => void;
  readonly own: (pass: GPUComputePassEncoder) => void;
}

/** Bit d is set if axis d is the last one of its domain. */
function endsOf(domains: readonly number[]): number {
  let ends = 0;
  let axis = -1;
  for (const axes of domains) ends |= 1 << (axis += axes);
  return ends;
}
