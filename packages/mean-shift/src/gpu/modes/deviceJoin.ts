import {foldDispatch, Kernel, type BufferSlice, type GpuRun} from '@epsball/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';
import {joiningCells} from '../../modes/joinModes.ts';
import type {Device} from '../device.ts';
import type {VectorIndex} from '../points/vectorIndex.ts';
import {indexGroups, type GroupsToMerge} from './deviceMerge.ts';
import {joinGroupsWgsl} from './joinGroups.wgsl.ts';

/** Groups in a submission: tens of milliseconds. */
const GROUPS_PER_SUBMISSION = {hardware: 2 ** 18, software: 2 ** 12};

/** Error of the difference of two float32 coordinates, of the largest coordinate. Modes on the border are near. */
const BORDER = 2 ** -22;

export interface GroupsToJoin extends GroupsToMerge {
  readonly positions: GPUBuffer;
  readonly m: number;
  /** Mode at each rank, and first rank of each group. */
  readonly sorted: GPUBuffer;
  readonly starts: GPUBuffer;
  readonly domains: readonly number[];
  /** Invocations for a group, a power of two. */
  readonly width: number;
}

/** As `joinModesResumably`, in float32. Returns for each group a group of its cluster, the same one for all. */
export async function joinOnDevice(
  {gpu, scratch, params: ring, reader}: Device,
  index: VectorIndex,
  groups: GroupsToJoin,
  run: GpuRun<MeanShiftPhase>,
): Promise<Int32Array> {
  const {count, dim, domains, scale, width: WIDTH, positions, sorted, starts} = groups;
  const {min, max, blocks: BLOCKS} = scale;
  const farthest = max.reduce((most, high, d) => Math.max(most, high, -min[d]), 0);
  const radius = groups.radius + BORDER * farthest;
  // On an axis the mean of a group is within a cell of its modes.
  const reach = radius * (1 + 2 / joiningCells(domains) + 2 ** -10);
  const {grid, pointOrder: groupOrder} = await indexGroups(index, groups, reach, run);
  const {DIM, IS_SPARSE} = grid.overrides;
  const entryPoints = ['boxSlots', 'joinSlots', 'ownGroups'] as const;
  const overrides = {BLOCKS, WIDTH, DIM, IS_SPARSE};
  const {boxSlots, joinSlots, ownGroups} = await Kernel.createEach(gpu, joinGroupsWgsl, entryPoints, overrides);
  const ends = endsOf(domains);
  const paramsOf = (first: number): BufferSlice => {
    const params = {groups: count, modes: groups.m, axes: dim, ends, radius2: radius * radius, first};
    return ring.write(joinGroupsWgsl.structs.JoinParams, params);
  };
  const [parent, ranges] = [scratch.take('parent', 4 * count), scratch.take('ranges', 8 * count)];
  const boxes = scratch.take('boxes', 32 * BLOCKS * count);
  const ownerOf = scratch.take('ownerOf', 4 * count);
  const modes = {positions, sorted, parent};
  const arrays = {...modes, starts, groupOrder, rangesOut: ranges, boxesOut: boxes};
  run.submit('labels', boxSlots.encode({...arrays, params: paramsOf(0)}, foldDispatch(count)));
  const most = gpu.pick(GROUPS_PER_SUBMISSION);
  for (let first = 0; first < count; first += most) {
    run.reportPart('labels', first / count);
    await run.makeRoom();
    const buffers = {...grid.bindings, ...modes, ranges, boxes, params: paramsOf(first)};
    run.submit('labels', joinSlots.encode(buffers, foldDispatch(Math.min(most, count - first))));
    // Submissions that wait on a slow device can be neither counted nor aborted.
    await run.reachPart('labels', Math.min(1, (first + most) / count));
  }
  run.submit('labels', ownGroups.encodeOver({groupOrder, parent, ownerOf, params: paramsOf(0)}, count));
  return reader.read(ownerOf, new Int32Array(count));
}

/** Bit d is set if axis d is the last one of its domain. */
function endsOf(domains: readonly number[]): number {
  let ends = 0;
  let axis = -1;
  for (const axes of domains) ends |= 1 << (axis += axes);
  return ends;
}
