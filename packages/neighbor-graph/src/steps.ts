// Long work is divided into dispatches of bounded size. A running dispatch cannot be stopped; a run can only end
// between two dispatches.
import type {Encode, Gpu} from '@epsball/gpu';
import type {BeginPass, GraphOptions} from './neighborGraph.ts';

/** Rows per tile in tiledRows.wgsl. */
export const TILE_ROWS = 64;

export interface PairCost {
  readonly isGrid: boolean;
  readonly dim: number;
  readonly speed: 'hardware' | 'software';
  readonly isExactOnly: boolean;
}

/** Pairs in 2-D that take an H200 about 12 ms without an index, and about 40 ms over a grid. */
const PAIRS = {
  none: {hardware: 2 ** 34, software: 2 ** 28},
  grid: {hardware: 2 ** 36, software: 2 ** 30},
};

/** Slowdown of undecided rows: without an index they do not use tiles. Few of their pairs need software float64. */
const EXACT = {grid: 1, none: 8};
/** Slowdown if every pair needs software float64. */
const EXACT_ONLY = 64;

export function certainPairs({isGrid, dim, speed}: PairCost): number {
  // Time grows with the number of coordinates; below two, the fixed cost dominates.
  return Math.floor((2 * PAIRS[isGrid ? 'grid' : 'none'][speed]) / Math.max(2, dim));
}

export function undecidedPairs(cost: PairCost): number {
  const times = cost.isExactOnly ? EXACT_ONLY : EXACT[cost.isGrid ? 'grid' : 'none'];
  return Math.floor(certainPairs(cost) / times);
}

export interface Span {
  readonly first: number;
  readonly count: number;
}

/** Divides rows into ranges of whole tiles with at most `pairs` pairs each, for `columns` columns per row. */
export function cutRows({first, count}: Span, columns: number, pairs: number): Span[] {
  const tiles = Math.max(1, Math.floor(pairs / Math.max(1, columns) / TILE_ROWS));
  return cut({first, count}, TILE_ROWS * tiles);
}

/** Divides a list of rows in the same way, with at least one row per range. */
export function cutList(count: number, columns: number, pairs: number): Span[] {
  return cut({first: 0, count}, Math.max(1, Math.floor(pairs / Math.max(1, columns))));
}

function cut({first, count}: Span, size: number): Span[] {
  return Array.from({length: Math.ceil(count / size)}, (_, k) => ({
    first: first + k * size,
    count: Math.min(size, count - k * size),
  }));
}

/** The steps of a job, each a dispatch of a bounded number of pairs. */
export interface RowSteps {
  readonly certain: readonly Encode[];
  /** Whether `undecided` needs the number of undecided rows. */
  readonly isLong: boolean;
  /** @param listed  undecided rows in the graph. Default: unknown; all rows in one step */
  readonly undecided: (listed?: number) => Encode[];
}

/** Whether all steps of a job may share a pass with others. */
export function isShort({certain, isLong}: RowSteps): boolean {
  return certain.length === 1 && !isLong;
}

/** At most two steps are on the device, so that a graph can be aborted between two. A single one does not wait. */
async function submitSteps(
  {device}: Gpu,
  {beginPass, options}: {readonly beginPass: BeginPass; readonly options: GraphOptions},
  steps: readonly Encode[],
): Promise<void> {
  let before: Promise<undefined> | undefined;
  for (const [k, step] of steps.entries()) {
    if (k > 0) await options.betweenSteps?.();
    const encoder = device.createCommandEncoder();
    const pass = beginPass(encoder);
    step(pass);
    pass.end();
    device.queue.submit([encoder.finish()]);
    if (steps.length === 1) return;
    const done = device.queue.onSubmittedWorkDone();
    // If the run ends here, its rejection is not awaited.
    done.catch(() => undefined);
    await before;
    before = done;
  }
}

/** @param count  of undecided rows; called for long jobs, after the certain steps */
export async function submitJob(
  gpu: Gpu,
  making: {readonly beginPass: BeginPass; readonly options: GraphOptions},
  job: RowSteps,
  count: () => Promise<number> | number,
): Promise<void> {
  const {certain, isLong, undecided} = job;
  if (isShort(job)) {
    await submitSteps(gpu, making, [inOne([...certain, ...undecided()])]);
    return;
  }
  await submitSteps(gpu, making, certain);
  await submitSteps(gpu, making, undecided(isLong ? await count() : undefined));
}

export function inOne(steps: readonly Encode[]): Encode {
  return (pass) => {
    for (const step of steps) step(pass);
  };
}
