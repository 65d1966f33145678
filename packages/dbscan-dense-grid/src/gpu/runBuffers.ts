import type {DbscanPhase} from '@epsball/clustering';
import {packStruct, Scratch, type Gpu, type GpuRun} from '@epsball/gpu';
import {denseCellTotal, type GpuGrid} from '@epsball/spatial-grid/gpu';
import {stateStructs} from './state.wgsl.ts';

const {RunState} = stateStructs;

/** The buffers of a run, by the names that kernels bind. */
export interface DenseGridBuffers {
  /** Whether the points of a cell are neighbours of each other; else each point is a set of its own. */
  readonly hasWholeCells: boolean;
  /** Words of `parent` and `firstCores`: cells, or points. */
  readonly setCount: number;
  readonly labels: GPUBuffer;
  readonly state: GPUBuffer;
  readonly undecidedPoints: GPUBuffer;
  readonly parent: GPUBuffer;
  readonly firstCores: GPUBuffer;
  readonly isFirst: GPUBuffer;
  readonly numbers: GPUBuffer;
  readonly labelsOut: GPUBuffer;
  readonly coreMaskOut: GPUBuffer;
}

/** What the steps of a run share. */
export interface StepInput {
  readonly grid: GpuGrid;
  readonly buffers: DenseGridBuffers;
  readonly run: GpuRun<DbscanPhase>;
}

/** Keeps the buffers of runs for the next one. */
export class RunBuffers {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;

  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#scratch = new Scratch(gpu, label);
  }

  /** Takes the buffers of a run and writes its parameters. */
  take({n, geometry, overrides, spare}: GpuGrid, minPts: number, hasWholeCells: boolean): DenseGridBuffers {
    const take = (what: string, bytes: number): GPUBuffer => this.#scratch.take(what, bytes);
    const setCount = hasWholeCells && !overrides.IS_SPARSE ? denseCellTotal(geometry) : n;
    const state = take('state', RunState.size);
    // minPts > n makes no point core; clamped, because the kernels' is a u32.
    const values = {minPts: Math.min(minPts, 0xffff_ffff), undecidedCores: 0, undecidedUnions: 0, undecidedBorders: 0};
    this.#gpu.device.queue.writeBuffer(state, 0, packStruct(RunState, values));
    return {
      hasWholeCells,
      setCount,
      labels: take('labels', 4 * n),
      state,
      undecidedPoints: spare.keys,
      parent: take('parent', 4 * setCount),
      firstCores: take('firstCores', 4 * setCount),
      isFirst: take('isFirst', 4 * (n + 1)),
      numbers: take('numbers', 4 * (n + 1)),
      labelsOut: spare.values,
      coreMaskOut: take('coreMask', n + 3),
    };
  }

  destroy(): void {
    this.#scratch.destroy();
  }
}
