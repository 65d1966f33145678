import type {DbscanPhase} from '@epsball/clustering';
import {Owner, packStruct, Scratch, type Gpu, type GpuRun} from '@epsball/gpu';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import {stateStructs} from './state.wgsl.ts';

const {RunState} = stateStructs;

/** 5 ms on an H200. An invocation of a software adapter is slower, but they are few at a time. */
const PATIENCE = {hardware: 32_768, software: 2048};

/** The buffers of a run, by the names that kernels bind. */
interface DenseGridBuffers {
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

interface RunShape {
  readonly minPts: number;
  /** Whether the points of a cell are neighbours of each other; else each point is a set of its own. */
  readonly hasWholeCells: boolean;
  /** Whether blocks of points have boxes (crowdedOrder.ts). */
  readonly isBlocked: boolean;
  readonly weightsBefore?: GPUBuffer | undefined;
}

type Layout = GpuGrid['overrides'];

/** Pipeline constants. */
interface StepOverrides {
  /** Of kernels over cells. */
  readonly cells: Omit<Layout, 'IS_SPARSE' | 'IS_WIDE'>;
  /** Of kernels over points, which cut rows to the ball around a point and never look at float64. */
  readonly narrowed: Omit<Layout, 'IS_WIDE'> &
    Readonly<Record<'HAS_WHOLE_CELLS' | 'IS_NARROWED' | 'IS_BLOCKED', boolean>> & {readonly PATIENCE: number};
  /** Of kernels with software float64. */
  readonly exact: Layout & {readonly HAS_WHOLE_CELLS: boolean};
}

/** What the steps of a run share. */
export interface StepInput {
  readonly grid: GpuGrid;
  readonly buffers: DenseGridBuffers;
  readonly overrides: StepOverrides;
  readonly run: GpuRun<DbscanPhase>;
}

/** Words of one bit per point. */
export function bitWords(n: number): number {
  return Math.ceil(n / 32);
}

/** Keeps the buffers of runs for the next one. */
export class RunBuffers extends Owner {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;

  constructor(gpu: Gpu, label: string) {
    super();
    this.#gpu = gpu;
    this.#scratch = this.own(new Scratch(gpu, label));
  }

  /** Takes the buffers of a run. Records the commands that set their first content, behind the grid's. */
  take(encoder: GPUCommandEncoder, grid: GpuGrid, shape: RunShape): Pick<StepInput, 'buffers' | 'overrides'> {
    const take = (what: string, bytes: number): GPUBuffer => this.#scratch.take(what, bytes);
    const {weightsBefore} = shape;
    const {n, spare} = grid;
    const words = bitWords(n);
    const bySet = take('firstCores', 4 * n);
    const buffers = {
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
    const minPts = Math.min(weightsBefore === undefined ? shape.minPts : 0xffff_ffff, 0xffff_ffff);
    const counts = {undecidedCores: 0, undecidedUnions: 0, undecidedBorders: 0, isCrowded: 0};
    this.#gpu.device.queue.writeBuffer(header, 0, packStruct(RunState, {minPts, ...counts, undecidedPoints: []}));
    encoder.copyBufferToBuffer(header, 0, buffers.state, 0, RunState.size);
    encoder.clearBuffer(buffers.pendingCells, 0, 4 * n);
    encoder.clearBuffer(buffers.firstBits, 0, 4 * words);
    encoder.clearBuffer(buffers.coreBits, 0, 4 * words);
    return {buffers, overrides: overridesFor(grid, shape, this.#gpu.pick(PATIENCE))};
  }
}

function overridesFor(grid: GpuGrid, {hasWholeCells, isBlocked}: RunShape, patience: number): StepOverrides {
  const {IS_WIDE: _, ...layout} = grid.overrides;
  const {IS_SPARSE: __, ...cells} = layout;
  const narrowed = {
    ...layout,
    HAS_WHOLE_CELLS: hasWholeCells,
    IS_NARROWED: grid.isNarrowed && hasWholeCells,
    IS_BLOCKED: isBlocked,
    // Points that an invocation may look at without blocks.
    PATIENCE: patience,
  };
  return {cells, narrowed, exact: {...grid.overrides, HAS_WHOLE_CELLS: hasWholeCells}};
}
