import type {DbscanPhase} from '@epsball/clustering';
import {packStruct, Scratch, type Gpu, type GpuRun} from '@epsball/gpu';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import {stateStructs} from './state.wgsl.ts';

const {RunState} = stateStructs;

/** 5 ms on an H200. An invocation of a software adapter is slower, but they are few at a time. */
const PATIENCE = {hardware: 32_768, software: 2048};

/** The buffers of a run, by the names that kernels bind. */
export interface DenseGridBuffers {
  /** Whether the points of a cell are neighbours of each other; else each point is a set of its own. */
  readonly hasWholeCells: boolean;
  /** Whether kernels cut rows of cells to the ball around a point. */
  readonly isNarrowed: boolean;
  /** Whether blocks of points have boxes (crowdedOrder.ts). */
  readonly isBlocked: boolean;
  /** Points that an invocation may look at without blocks. */
  readonly patience: number;
  readonly labels: GPUBuffer;
  readonly state: GPUBuffer;
  readonly parent: GPUBuffer;
  /** By set: first `pendingCells`, then `firstCores`. Both begin with zeros. */
  readonly pendingCells: GPUBuffer;
  readonly firstCores: GPUBuffer;
  /** One bit per point, and the ranks of the bits. */
  readonly firstBits: GPUBuffer;
  readonly firstRanks: GPUBuffer;
  readonly labelsOut: GPUBuffer;
  readonly coreBits: GPUBuffer;
  /** Sums of weights (weights.wgsl); absent without weights. */
  readonly weightsBefore?: GPUBuffer | undefined;
}

interface BufferOptions {
  readonly minPts: number;
  readonly hasWholeCells: boolean;
  readonly isBlocked: boolean;
  readonly weightsBefore?: GPUBuffer | undefined;
}

/** What the steps of a run share. */
export interface StepInput {
  readonly grid: GpuGrid;
  readonly buffers: DenseGridBuffers;
  readonly run: GpuRun<DbscanPhase>;
}

/** Words of one bit per point. */
export function bitWords(n: number): number {
  return Math.ceil(n / 32);
}

/** Keeps the buffers of runs for the next one. */
export class RunBuffers {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;

  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#scratch = new Scratch(gpu, label);
  }

  /** Takes the buffers of a run. Records the commands that set their first content, behind the grid's. */
  take(
    encoder: GPUCommandEncoder,
    grid: GpuGrid,
    {minPts, hasWholeCells, isBlocked, weightsBefore}: BufferOptions,
  ): DenseGridBuffers {
    const take = (what: string, bytes: number): GPUBuffer => this.#scratch.take(what, bytes);
    const {n, spare} = grid;
    const words = bitWords(n);
    const bySet = take('firstCores', 4 * n);
    const buffers = {
      hasWholeCells,
      isNarrowed: grid.isNarrowed && hasWholeCells,
      isBlocked,
      patience: this.#gpu.pick(PATIENCE),
      labels: take('labels', 4 * n),
      state: spare.keys,
      parent: take('parent', 4 * n),
      pendingCells: bySet,
      firstCores: bySet,
      firstBits: take('firstBits', 4 * words),
      firstRanks: take('firstRanks', 8 * (words + 1)),
      labelsOut: spare.values,
      coreBits: take('coreBits', 4 * words),
      weightsBefore,
    };
    const header = take('header', RunState.size);
    // minPts > n makes no point core; clamped, because the kernels' is a u32. With weights no count makes a cell core.
    const counts = {undecidedCores: 0, undecidedUnions: 0, undecidedBorders: 0, isCrowded: 0};
    const most = weightsBefore === undefined ? minPts : 0xffff_ffff;
    const values = {minPts: Math.min(most, 0xffff_ffff), ...counts, undecidedPoints: []};
    this.#gpu.device.queue.writeBuffer(header, 0, packStruct(RunState, values));
    encoder.copyBufferToBuffer(header, 0, buffers.state, 0, RunState.size);
    encoder.clearBuffer(buffers.pendingCells, 0, 4 * n);
    encoder.clearBuffer(buffers.firstBits, 0, 4 * words);
    encoder.clearBuffer(buffers.coreBits, 0, 4 * words);
    return buffers;
  }

  destroy(): void {
    this.#scratch.destroy();
  }
}
