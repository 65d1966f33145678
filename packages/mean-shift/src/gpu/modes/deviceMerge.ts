import {Kernel, type BufferSlice, type GpuRun} from '@epsball/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';
import type {Device} from '../device.ts';
import type {VectorIndex} from '../points/vectorIndex.ts';
import type {VectorScale} from '../points/vectorScale.ts';
import {mergeGroupsWgsl} from './mergeGroups.wgsl.ts';

const ROUNDS_PER_BATCH = 8;

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

/** As `mergeGroups`, for many groups. Returns for each group the group that is the centre of its cluster. */
export async function mergeOnDevice(
  {gpu, scratch, params, reader}: Device,
  index: VectorIndex,
  groups: GroupsToMerge,
  run: GpuRun<MeanShiftPhase>,
): Promise<Int32Array> {
  const {means, sizes: groupSizes, firsts: groupFirsts, count, dim, radius} = groups;
  // Rounded means may lie slightly outside the box.
  const {min, max} = groups.scale;
  const scale = {...groups.scale, max: max.map((high, d) => high + (high - min[d] + radius) * 2 ** -16)};
  const {grid, ...indexed} = await index.build({points: means, n: count, dim, scale, radius}, run, 'labels');
  if (grid === undefined) throw new Error('groups of modes without a radius');
  const {DIM, IS_SPARSE} = grid.overrides;
  const overrides = {BLOCKS: scale.blocks, DIM, IS_SPARSE};
  const [gather, settle, assign] = await Promise.all([
    Kernel.create(gpu, mergeGroupsWgsl, 'gatherGroups'),
    Kernel.create(gpu, mergeGroupsWgsl, 'settleGroups', overrides),
    Kernel.create(gpu, mergeGroupsWgsl, 'assignCenters', overrides),
  ]);
  const paramsOf = (word: number): BufferSlice =>
    params.write(mergeGroupsWgsl.structs.MergeParams, {count, radius2: radius * radius, word});
  const [states, centerOf] = [scratch.take('states', 4 * count), scratch.take('centerOf', 4 * count)];
  const ranks = scratch.take('ranks', 8 * count);
  const openCounts = scratch.take('openCounts', 4 * ROUNDS_PER_BATCH);
  const {cellStart, cellIds, cellAxes, grid: ofGrid} = grid.bindings;
  const shared = {means: indexed.points, ranks, states, cellStart, cellIds, cellAxes, grid: ofGrid};
  const groupOrder = indexed.pointOrder;
  const gathered = {groupOrder, groupSizes, groupFirsts, ranksOut: ranks, states, params: paramsOf(0)};
  run.submit('labels', gather.encodeOver(gathered, count));
  const words = new Uint32Array(ROUNDS_PER_BATCH);
  // Each round settles at least the largest open group. There are far fewer rounds than groups.
  for (let open = count; open > 0; open = words[ROUNDS_PER_BATCH - 1]) {
    run.throwIfAborted('labels');
    gpu.device.queue.writeBuffer(openCounts, 0, words.fill(0));
    await run.makeRoom();
    run.submit('labels', (pass) => {
      for (let word = 0; word < ROUNDS_PER_BATCH; word++) {
        settle.dispatchOver(pass, settle.bind({...shared, openCounts, params: paramsOf(word)}), count);
      }
    });
    await reader.read(openCounts, words);
  }
  run.throwIfAborted('labels');
  run.submit('labels', assign.encodeOver({...shared, groupOrder, centerOf, params: paramsOf(0)}, count));
  return reader.read(centerOf, new Int32Array(count));
}
