import {
  USUAL_TILE,
  type MeanShiftCell,
  type MeanShiftFactor,
  type MeanShiftFigure,
  type MeanShiftResultFile,
  type MeanShiftSubject,
} from '@epsball/benchmarks';
import type {Run, SectionOf} from '../run.ts';

export type MeanShiftRun = Run<MeanShiftResultFile>;
export type MeanShiftSection = SectionOf<'mean-shift'>;

/** A time of ours; `isEstimated`: from a fit, marked †. */
export interface Time {
  readonly ms: number;
  readonly isEstimated: boolean;
}

export const SEQUENTIAL: MeanShiftSubject = {method: 'sequential', threads: 1, tileWidth: null};
export const NAIVE: MeanShiftSubject = {method: 'naive', threads: 1, tileWidth: null};
export const TILED: MeanShiftSubject = {method: 'tiled', threads: 1, tileWidth: USUAL_TILE};

export function onThreads(threads: number): MeanShiftSubject {
  return {method: 'workers', threads, tileWidth: null};
}

/** The document's numbers of points, ascending; sizes that only serve the fit are not among them. */
export function sizesOf({suite}: MeanShiftSection): number[] {
  return [...suite.profiles.full.sizes];
}

export function findCell({result}: MeanShiftRun, subject: MeanShiftSubject, n: number): MeanShiftCell | undefined {
  return result.cells.find(
    (cell) =>
      cell.n === n &&
      cell.method === subject.method &&
      cell.threads === subject.threads &&
      cell.tileWidth === subject.tileWidth,
  );
}

/** The wall time of a cell, measured or estimated. */
export function timeOf(cell: MeanShiftCell | undefined): Time | null {
  if (cell?.status === 'measured') return {ms: cell.wall.medianMs, isEstimated: false};
  return cell?.status === 'estimated' ? {ms: cell.ms, isEstimated: true} : null;
}

/** Worker threads with the shortest time at a number of points. */
export function bestThreads(
  section: MeanShiftSection,
  run: MeanShiftRun,
  n: number,
): {threads: number; time: Time} | null {
  const all = section.suite.threads.flatMap((threads) => {
    const time = timeOf(findCell(run, onThreads(threads), n));
    return time === null ? [] : [{threads, time}];
  });
  const [first, ...rest] = all;
  if (first === undefined) return null;
  return rest.reduce((best, one) => (one.time.ms < best.time.ms ? one : best), first);
}

/** The document's time as printed; `tileWidth` null: that of its comparisons. */
export function figureOf(
  {suite}: MeanShiftSection,
  method: MeanShiftFigure['method'],
  n: number,
  tileWidth: number | null = null,
): string | null {
  const found = suite.published.find((one) => one.method === method && one.n === n && one.tileWidth === tileWidth);
  return found?.printed ?? null;
}

/** The document's speed-up of a version over another, as printed. */
export function factorOf(
  {suite}: MeanShiftSection,
  over: MeanShiftFactor['over'],
  method: MeanShiftFactor['method'],
  n: number,
): string | null {
  return (
    suite.publishedFactors.find((one) => one.over === over && one.method === method && one.n === n)?.printed ?? null
  );
}
