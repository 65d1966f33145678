import type {Subject} from '@epsball/benchmarks';
import type {DbscanRun, DbscanSection} from './section.ts';

/** Names the run only where there are several. */
export function seriesLabel(section: DbscanSection, run: DbscanRun, name: string): string {
  return section.runs.length > 1 ? `${name} · ${run.letter}` : name;
}

const BACKEND_DASHES: Readonly<Record<string, readonly number[]>> = {gpu: [], workers: [7, 4], sequential: [2, 3]};

/** The dash of a line: its backend's, or its run's where there are several. Without an index dashes are longer. */
export function dashOf(section: DbscanSection, run: DbscanRun, {backend, options}: Subject): readonly number[] {
  if (section.runs.length > 1) return RUN_DASHES[Math.min(section.runs.indexOf(run), RUN_DASHES.length - 1)];
  const dash = BACKEND_DASHES[backend] ?? [];
  if (options?.['index'] !== 'none') return dash;
  return dash.length === 0 ? [12, 3] : dash.map((length) => length * 2);
}

/** Runs beyond these share the last dash; the table tells them apart. */
const RUN_DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];
