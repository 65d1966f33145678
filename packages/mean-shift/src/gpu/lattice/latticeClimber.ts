import {Kernel, ParamRing, ReadBack, type Gpu, type GpuRun, type Scratch} from '@epsball/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';
import type {TrajectoryCounts} from '../climb/pointClimber.ts';
import {latticeClimbWgsl} from './latticeClimb.wgsl.ts';
import type {LatticeLayout} from './latticeLayout.ts';
import {Portions, type Items} from './portions.ts';

/** Steps of a dispatch. Trajectories that have arrived leave the list between two dispatches. */
const STEPS_PER_DISPATCH = 16;

/** Dispatches between two read-backs of the host. */
const DISPATCHES_PER_BATCH = {hardware: 4, software: 1};

/** Words of a tally: active trajectories, their steps, steps of the longest. */
const TALLY_WORDS = 3;

/** Buffers and parameters of trajectories over a lattice. */
export interface LatticeTrajectories {
  readonly field: GPUBuffer;
  readonly layout: LatticeLayout;
  /** Current positions, and their number m. Written. */
  readonly positions: GPUBuffer;
  readonly m: number;
  /** m sums of weights. Written. */
  readonly weights: GPUBuffer;
  readonly maxSteps: number;
  /** In squared device units. */
  readonly minStep2: number;
}

/** Moves trajectories over the sums at the nodes of a lattice until all have arrived. */
export class LatticeClimber {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;
  readonly #reader: ReadBack;
  readonly #operations: number;

  /**
   * @param scratch     borrowed, as `gpu` is
   * @param operations  approximate limit for a submission
   */
  constructor(gpu: Gpu, scratch: Scratch, operations: number) {
    this.#operations = operations;
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#params = new ParamRing(gpu, 'mean-shift/latticeClimb.params', 64);
    this.#reader = new ReadBack(gpu, 'mean-shift/latticeClimb');
  }

  /** Compiles the kernel. Call it early: the first run waits for it. */
  prepare(dim: number): Promise<Kernel<typeof latticeClimbWgsl, 'climbLattice'>> {
    return Kernel.create(this.#gpu, latticeClimbWgsl, 'climbLattice', {DIM: dim});
  }

  /**
   * Moves all trajectories to their ends. `positions` and `weights` hold the result.
   *
   * @throws RunAbortedError  if the signal has fired
   */
  async run(trajectories: LatticeTrajectories, run: GpuRun<MeanShiftPhase>): Promise<TrajectoryCounts> {
    const {m, maxSteps, layout} = trajectories;
    const kernel = await this.prepare(layout.dim);
    const most = this.#gpu.pick(DISPATCHES_PER_BATCH);
    const words = new Uint32Array(TALLY_WORDS * (most + 1));
    const tallies = this.#scratch.take('tallies', words.byteLength);
    const perTrajectory = STEPS_PER_DISPATCH * 4 ** layout.dim;
    let active = m;
    let steps = 0;
    let longest = 0;
    let shifts = 0;
    let rounds = 0;
    while (active > 0 && steps < maxSteps) {
      run.throwIfAborted('shift');
      words.fill(0);
      words[0] = active;
      this.#gpu.device.queue.writeBuffer(tallies, 0, words);
      await run.makeRoom();
      const portions = new Portions(run, {phase: 'shift', most: this.#operations});
      const before: number[] = [];
      for (let word = 0; word < most && steps < maxSteps; word++) {
        const here = Math.min(STEPS_PER_DISPATCH, maxSteps - steps);
        const own = {word, steps: here, round: rounds++};
        await portions.dispatch(kernel, active, perTrajectory, (items) =>
          this.#bind({kernel, trajectories, tallies}, {...own, ...items}),
        );
        before.push(steps);
        steps += here;
      }
      portions.submit();
      await this.#reader.read(tallies, words);
      before.forEach((made, word) => {
        shifts += words[TALLY_WORDS * word + 1];
        if (words[TALLY_WORDS * word] > 0) longest = made + words[TALLY_WORDS * word + 2];
      });
      active = words[TALLY_WORDS * before.length];
      run.report('shift', m - active);
    }
    return {longest, shifts, arrived: m - active};
  }

  #bind(
    {kernel, trajectories, tallies}: Recording,
    {round, ...own}: {round: number; word: number; steps: number} & Items,
  ): GPUBindGroup {
    const {field, layout, positions, weights, m, minStep2} = trajectories;
    const lists = [this.#scratch.take('activeList', 4 * m), this.#scratch.take('nextList', 4 * m)];
    const {counts, origin, perUnit} = layout;
    const params = this.#params.write(latticeClimbWgsl.structs.LatticeClimbParams, {
      counts: [...counts, 1],
      origin,
      perUnit,
      minStep2,
      isFirst: round === 0 ? 1 : 0,
      ...own,
    });
    const activeList = lists[round % 2];
    const nextList = lists[(round + 1) % 2];
    return kernel.bind({field, positions, weights, activeList, nextList, tallies, params});
  }

  destroy(): void {
    this.#params.destroy();
    this.#reader.destroy();
  }
}

/** What all dispatches share. */
interface Recording {
  readonly kernel: Kernel<typeof latticeClimbWgsl, 'climbLattice'>;
  readonly trajectories: LatticeTrajectories;
  readonly tallies: GPUBuffer;
}
