// Long work is divided into dispatches of bounded size. A running dispatch cannot be stopped; a run can only end
// between two dispatches.
import type {Encode, Gpu} from '@epsball/gpu';
import type {BeginPass, GraphOptions, GraphWork} from './neighborGraph.ts';

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

/** In software a job is divided into so many steps, if they are longer than a wait for the host. */
const SOFTWARE_STEPS = 16;
const SOFTWARE_PAIRS_MIN = 2 ** 24;

/** Pairs of a step that shares no pass, for a job of `pairs`. */
export function pairsOfStep({speed}: PairCost, pairs: number, most: number): number {
  if (speed !== 'software') return most;
  return Math.min(most, Math.max(SOFTWARE_PAIRS_MIN, Math.ceil(pairs / SOFTWARE_STEPS)));
}

/** The part of a job that its certain steps are, for reports: few rows are undecided. */
const CERTAIN_PART = 0.9;

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
  /** Whether the steps are few pairs together, so that work may follow before the host knows their results. */
  readonly isShort: boolean;
  /** Whether `undecided` needs the number of undecided rows. */
  readonly isLong: boolean;
  /** @param listed  undecided rows in the graph. Default: unknown; all rows in one step */
  readonly undecided: (listed?: number) => Encode[];
}

/** Whether all steps of a job share a pass with others. */
export function isInOne({certain, isLong}: RowSteps): boolean {
  return certain.length === 1 && !isLong;
}

/** What steps are part of, and which part of it they are. */
export interface Share {
  readonly work: GraphWork;
  readonly from: number;
  readonly to: number;
}

/** At most two steps are on the device, so that a graph can be aborted between two. A single one does not wait. */
async function submitSteps(
  {device}: Gpu,
  {beginPass, options}: {readonly beginPass: BeginPass; readonly options: GraphOptions},
  steps: readonly Encode[],
  {work, from, to}: Share,
): Promise<void> {
  let before: Promise<undefined> | undefined;
  for (const [k, step] of steps.entries()) {
    // The step before is still under way.
    if (k > 0) await options.betweenSteps?.(from + ((k - 1) / steps.length) * (to - from), work);
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
  share: Share,
): Promise<void> {
  const {certain, isLong, undecided} = job;
  if (isInOne(job)) {
    await submitSteps(gpu, making, [allOf(job)], share);
    return;
  }
  const middle = isLong ? share.from + CERTAIN_PART * (share.to - share.from) : share.to;
  await submitSteps(gpu, making, certain, {...share, to: middle});
  await submitSteps(gpu, making, undecided(isLong ? await count() : undefined), {...share, from: middle});
}

/** All steps of a job in one pass. */
export function allOf({certain, undecided}: RowSteps): Encode {
  return inOne([...certain, ...undecided()]);
}

function inOne(steps: readonly Encode[]): Encode {
  return (pass) => {
    for (const step of steps) step(pass);
  };
}
