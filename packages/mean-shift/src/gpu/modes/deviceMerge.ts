import {Kernel, type BufferSlice, type GpuRun} from '@epsball/gpu';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';
import type {Device} from '../device.ts';
import type {IndexedVectors, VectorIndex} from '../points/vectorIndex.ts';
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

/** Brings the means of groups into the order of cells as wide as `reach`. */
export async function indexGroups(
  index: VectorIndex,
  {means: points, count: n, dim, scale, radius}: GroupsToMerge,
  reach: number,
  run: GpuRun<MeanShiftPhase>,
): Promise<IndexedVectors & {readonly grid: GpuGrid}> {
  // Rounded means may lie slightly outside the box.
  const {min, max} = scale;
  const wider = {...scale, max: max.map((high, d) => high + (high - min[d] + radius) * 2 ** -16)};
  const {grid, ...indexed} = await index.build({points, n, dim, scale: wider, radius: reach}, run, 'labels');
  if (grid === undefined) throw new Error('groups of modes without a radius');
  return {...indexed, grid};
}

/** As `mergeGroups`, for many groups. Returns for each group the group that is the centre of its cluster. */
export async function mergeOnDevice(
  {gpu, scratch, params, reader}: Device,
  index: VectorIndex,
  groups: GroupsToMerge,
  run: GpuRun<MeanShiftPhase>,
): Promise<Int32Array> {
  const {sizes: groupSizes, firsts: groupFirsts, count, radius} = groups;
  const {points: means, pointOrder: groupOrder, grid} = await indexGroups(index, groups, radius, run);
  const {DIM, IS_SPARSE} = grid.overrides;
  const {gatherGroups, settleGroups, assignCenters} = await Kernel.createEach(
    gpu,
    mergeGroupsWgsl,
    ['gatherGroups', 'settleGroups', 'assignCenters'],
    {BLOCKS: groups.scale.blocks, DIM, IS_SPARSE},
  );
  const paramsOf = (word: number): BufferSlice =>
    params.write(mergeGroupsWgsl.structs.MergeParams, {count, radius2: radius * radius, word});
  const [states, centerOf] = [scratch.take('states', 4 * count), scratch.take('centerOf', 4 * count)];
  const ranks = scratch.take('ranks', 8 * count);
  const openCounts = scratch.take('openCounts', 4 * ROUNDS_PER_BATCH);
  const shared = {...grid.bindings, means, ranks, states};
  const gathered = {groupOrder, groupSizes, groupFirsts, ranksOut: ranks, states, params: paramsOf(0)};
  run.submit('labels', gatherGroups.encodeOver(gathered, count));
  const words = new Uint32Array(ROUNDS_PER_BATCH);
  // Each round settles at least the largest open group. There are far fewer rounds than groups.
  for (let open = count; open > 0; open = words[ROUNDS_PER_BATCH - 1]) {
    run.throwIfAborted('labels');
    run.reportPart('labels', 1 - open / count);
    gpu.device.queue.writeBuffer(openCounts, 0, words.fill(0));
    await run.makeRoom();
    run.submit('labels', (pass) => {
      for (let word = 0; word < ROUNDS_PER_BATCH; word++) {
        settleGroups.encodeOver({...shared, openCounts, params: paramsOf(word)}, count)(pass);
      }
    });
    await reader.read(openCounts, words);
  }
  run.throwIfAborted('labels');
  run.submit('labels', assignCenters.encodeOver({...shared, groupOrder, centerOf, params: paramsOf(0)}, count));
  return reader.read(centerOf, new Int32Array(count));
}
