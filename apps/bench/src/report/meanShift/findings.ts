import {nameMeanShift, type MeanShiftCell} from '@epsball/benchmarks';
import {formatCount, formatFactor, formatMs} from '@epsball/cli/command';
import {listGaps} from '../gaps.ts';
import {
  findCell,
  NAIVE,
  onThreads,
  SEQUENTIAL,
  sizesOf,
  TILED,
  type MeanShiftRun,
  type MeanShiftSection,
} from './section.ts';

/** Findings of a section, in sentences: the checks, and the comparisons at the largest size that both sides ran. */
export function findingsOf(section: MeanShiftSection): string[] {
  return section.runs.flatMap((run) => {
    const prefix = section.runs.length > 1 ? `${run.letter}: ` : '';
    return findingsOfRun(section, run).map((sentence) => prefix + sentence);
  });
}

/** Why cells were left out or failed, and the fits of the estimated ones. */
export function gapsOf({runs}: MeanShiftSection): string[] {
  const gaps = listGaps(
    runs.map(({letter, result}) => ({
      letter,
      result: {cells: result.cells.filter((cell) => cell.status !== 'estimated')},
    })),
    nameMeanShift,
  );
  const fits = runs.flatMap(({result}) =>
    result.cells.flatMap((cell) => (cell.status === 'estimated' ? [`† ${nameOfSeries(cell)}: ${cell.fit}`] : [])),
  );
  return [...gaps, ...new Set(fits)];
}

function nameOfSeries(cell: MeanShiftCell): string {
  return nameMeanShift(cell).replace(/ at [\d,]+$/, '');
}

function findingsOfRun(section: MeanShiftSection, run: MeanShiftRun): string[] {
  const {cells} = run.result;
  const measured = cells.filter(({status}) => status === 'measured').length;
  const estimated = cells.filter(({status}) => status === 'estimated').length;
  const failed = cells.filter(({status}) => status === 'failed').length;
  const threads = section.suite.threads.filter((count) => count > 1);
  return [
    ...(measured === 0
      ? []
      : [`A sample of every measured run was checked in float64 over all points: all ${measured} were right.`]),
    ...(estimated === 0 ? [] : [`${estimated} slow cells, marked †, were estimated.`]),
    ...(failed === 0
      ? []
      : [`${failed} ${failed === 1 ? 'cell' : 'cells'} failed; the list below the tables says why.`]),
    ...threads.flatMap((count) =>
      comparison(section, run, `${count} worker threads`, onThreads(count), SEQUENTIAL, 'sequential'),
    ),
    ...comparison(section, run, 'Tiling on the GPU', TILED, SEQUENTIAL, 'sequential'),
    ...comparison(section, run, 'Tiling on the GPU', TILED, NAIVE, 'naive'),
  ];
}

function comparison(
  section: MeanShiftSection,
  run: MeanShiftRun,
  name: string,
  subject: typeof TILED,
  base: typeof TILED,
  baseName: string,
): string[] {
  for (const n of sizesOf(section).toReversed()) {
    const [ours, theirs] = [findCell(run, subject, n), findCell(run, base, n)];
    if (ours?.status !== 'measured' || theirs?.status !== 'measured') continue;
    const factor = formatFactor(theirs.wall.medianMs / ours.wall.medianMs);
    return [
      `${name}, ${formatCount(n)} points: ${formatMs(ours.wall.medianMs)}, ${factor} as fast as the ${baseName} version.`,
    ];
  }
  return [];
}
