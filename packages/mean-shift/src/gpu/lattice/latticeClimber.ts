import {Kernel, type Gpu, type GpuRun} from '@epsball/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';
import type {DeviceTrajectories, TrajectoryCounts} from '../climb/pointClimber.ts';
import type {Device} from '../device.ts';
import {latticeClimbWgsl} from './latticeClimb.wgsl.ts';
import type {LatticeLayout} from './latticeLayout.ts';
import {Portions} from '../portions.ts';

/** Steps of a dispatch. Trajectories that have arrived leave the list between two dispatches. */
const STEPS_PER_DISPATCH = 16;

/** Dispatches between two read-backs of the host. */
const DISPATCHES_PER_BATCH = {hardware: 4, software: 1};

/** Words of a tally: active trajectories, their steps, steps of the longest. */
const TALLY_WORDS = 3;

export interface LatticeTrajectories extends DeviceTrajectories {
  readonly field: GPUBuffer;
  readonly layout: LatticeLayout;
  readonly operations: number;
}

/** Compiles the kernel. Call it early: the first run waits for it. */
export function latticeKernel(gpu: Gpu, dim: number): Promise<Kernel<typeof latticeClimbWgsl, 'climbLattice'>> {
  return Kernel.create(gpu, latticeClimbWgsl, 'climbLattice', {DIM: dim});
}

/** Moves trajectories over the sums at the nodes until all have arrived. Fills `positions` and `weights`. */
export async function climbLattice(
  {gpu, scratch, params: ring, reader}: Device,
  trajectories: LatticeTrajectories,
  run: GpuRun<MeanShiftPhase>,
): Promise<TrajectoryCounts> {
  const {m, maxSteps, minStep2, layout, field, positions, weights, operations} = trajectories;
  const {dim, counts, origin, perUnit} = layout;
  const kernel = await latticeKernel(gpu, dim);
  const most = gpu.pick(DISPATCHES_PER_BATCH);
  const words = new Uint32Array(TALLY_WORDS * (most + 1));
  const tallies = scratch.take('tallies', words.byteLength);
  const lists = [scratch.take('activeList', 4 * m), scratch.take('nextList', 4 * m)];
  const buffers = {field, positions, weights, tallies};
  let active = m;
  let steps = 0;
  let longest = 0;
  let shifts = 0;
  let round = 0;
  while (active > 0 && steps < maxSteps) {
    run.throwIfAborted('shift');
    words.fill(0);
    words[0] = active;
    gpu.device.queue.writeBuffer(tallies, 0, words);
    await run.makeRoom();
    const portions = new Portions(run, {phase: 'shift', most: operations});
    const before: number[] = [];
    for (let word = 0; word < most && steps < maxSteps; word++, round++) {
      const here = Math.min(STEPS_PER_DISPATCH, maxSteps - steps);
      const [activeList, nextList] = [lists[round % 2], lists[(round + 1) % 2]];
      const ofLattice = {counts: [...counts, 1], origin, perUnit, minStep2};
      const ofRound = {...ofLattice, word, steps: here, isFirst: round === 0 ? 1 : 0};
      await portions.dispatch(kernel, active, STEPS_PER_DISPATCH * 4 ** dim, (items) => {
        const params = ring.write(latticeClimbWgsl.structs.LatticeClimbParams, {...ofRound, ...items});
        return {...buffers, activeList, nextList, params};
      });
      before.push(steps);
      steps += here;
    }
    portions.submit();
    await reader.read(tallies, words);
    before.forEach((made, word) => {
      shifts += words[TALLY_WORDS * word + 1];
      if (words[TALLY_WORDS * word] > 0) longest = made + words[TALLY_WORDS * word + 2];
    });
    active = words[TALLY_WORDS * before.length];
    run.report('shift', m - active);
  }
  return {longest, shifts, arrived: m - active};
}
