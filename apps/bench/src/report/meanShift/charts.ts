import type {MeanShiftMethod, MeanShiftSubject} from '@epsball/benchmarks';
import {formatCount} from '@epsball/cli/command';
import {DASHES, type Chart} from '../chart.ts';
import {growthText} from '../growth.ts';
import type {DocumentMark} from '../documentLayers.ts';
import {lineChart, type Series} from '../lineChart.ts';
import {renderChart} from '../renderChart.ts';
import {
  findCell,
  NAIVE,
  onThreads,
  SEQUENTIAL,
  sizesOf,
  TILED,
  timeOf,
  type MeanShiftRun,
  type MeanShiftSection,
} from './section.ts';

/** The colour of each version; worker threads have that of the variant with workers. */
const METHOD_HUES: Readonly<Record<MeanShiftMethod, string>> = {
  sequential: 'var(--ink-2)',
  workers: 'var(--hue-3)',
  naive: 'var(--hue-4)',
  tiled: 'var(--hue-1)',
  'ours-sequential': 'var(--ink-2)',
  'ours-workers': 'var(--hue-3)',
  'ours-gpu': 'var(--hue-2)',
};

/** The charts of a section; one without data is left out. */
export async function drawCharts(section: MeanShiftSection): Promise<Chart[]> {
  const drawn = await Promise.all([speedUpChart(section), tileChart(section), timeChart(section)]);
  return drawn.filter((chart) => chart !== null);
}

/** The document's figure: speed-up over threads, a line a size. */
export async function speedUpChart(section: MeanShiftSection): Promise<Chart | null> {
  const series = linesOf(section, (run) =>
    sizesOf(section).map((n, place) => ({
      label: `${formatCount(n)} points`,
      color: `var(--size-${place + 1})`,
      points: section.suite.threads.flatMap((threads) => {
        const base = findCell(run, SEQUENTIAL, n);
        const cell = findCell(run, onThreads(threads), n);
        if (base?.status !== 'measured' || cell?.status !== 'measured') return [];
        return [{x: threads, y: base.wall.medianMs / cell.wall.medianMs}];
      }),
    })),
  );
  if (series.length === 0) return null;
  const title = 'Worker threads: speed-up over the sequential version';
  const x = {title: 'threads', log: true, ticks: valuesOf(series)};
  const spec = lineChart({series, marks: [], x, y: {log: false, unit: 'factor'}, rule: 1});
  return {
    name: 'threads',
    title,
    caption:
      'Sequential time over the time with so many threads; measured sizes only. The curves of the document are not legible in the text we have.',
    svg: await renderChart(spec, title),
  };
}

export async function tileChart(section: MeanShiftSection): Promise<Chart | null> {
  const n = section.suite.tileSweepN;
  const series = linesOf(section, (run) => [
    {
      label: 'tiling',
      color: METHOD_HUES.tiled,
      points: section.suite.tileWidths.flatMap((width) => {
        const cell = findCell(run, {...TILED, tileWidth: width}, n);
        return cell?.status === 'measured' ? [{x: width, y: cell.wall.medianMs}] : [];
      }),
    },
  ]);
  if (series.length === 0) return null;
  const marks = section.suite.published.flatMap(({method, tileWidth, ms}): DocumentMark[] =>
    method === 'tiled' && tileWidth !== null
      ? [{x: tileWidth, y: ms, text: tileWidth === 1024 ? 'document' : '', color: METHOD_HUES.tiled}]
      : [],
  );
  const title = `TILE_WIDTH at ${formatCount(n)} points`;
  const x = {title: 'TILE_WIDTH', log: true, ticks: valuesOf(series)};
  const spec = lineChart({series, marks, x, y: {log: true, unit: 'time'}, rule: null});
  return {
    name: 'tiles',
    title,
    caption: `Time of a run, transfers included. ${markCaption(section)}`,
    svg: await renderChart(spec, title),
  };
}

/** Time over points, both axes logarithmic, the document's numbers beside. */
export async function timeChart(section: MeanShiftSection): Promise<Chart | null> {
  const subjects: readonly (readonly [label: string, subject: MeanShiftSubject, dash: readonly number[]])[] = [
    ['sequential', SEQUENTIAL, []],
    ['tiling', TILED, []],
    ['naive', NAIVE, []],
    ...section.suite.threads
      .filter((threads) => threads > 1)
      .map((threads, place) => [`${threads} threads`, onThreads(threads), DASHES[place % DASHES.length]] as const),
  ];
  const series = linesOf(section, (run) =>
    subjects.map(([label, subject, dash]) => {
      const points = sizesOf(section).flatMap((n) => {
        const time = timeOf(findCell(run, subject, n));
        return time === null || time.isEstimated ? [] : [{x: n, y: time.ms}];
      });
      return {label: label + growthText(points), color: METHOD_HUES[subject.method], dash, points};
    }),
  );
  if (series.length === 0) return null;
  const marks = section.suite.published.flatMap(({method, n, tileWidth, ms}): DocumentMark[] => {
    if ((method !== 'sequential' && method !== 'tiled') || tileWidth !== null) return [];
    return [{x: n, y: ms, text: n === 250_000 ? `document: ${method}` : '', color: METHOD_HUES[method]}];
  });
  const title = 'Time by points, both axes logarithmic';
  const spec = lineChart({series, marks, x: {title: 'points', log: true}, y: {log: true, unit: 'time'}, rule: null});
  return {
    name: 'time',
    title,
    caption: `Time of a run, transfers included; measured sizes only. ${markCaption(section)}`,
    svg: await renderChart(spec, title),
  };
}

function markCaption({suite}: MeanShiftSection): string {
  return `Hollow diamonds are the document’s own numbers (${suite.publishedMachine}): compare shapes, not heights.`;
}

interface Line {
  readonly label: string;
  readonly color: string;
  /** Default: that of its run. */
  readonly dash?: readonly number[];
  readonly points: Series['points'];
}

/** The lines of all runs; a dash a run. */
function linesOf({runs}: MeanShiftSection, linesOfRun: (run: MeanShiftRun) => readonly Line[]): Series[] {
  return runs.flatMap((run, index) =>
    linesOfRun(run)
      .filter(({points}) => points.length > 0)
      .map(({label, color, dash, points}) => ({
        label: runs.length > 1 ? `${label} · ${run.letter}` : label,
        color,
        dash: runs.length === 1 && dash !== undefined ? dash : DASHES[Math.min(index, DASHES.length - 1)],
        points,
      })),
  );
}

function valuesOf(series: readonly Series[]): number[] {
  return [...new Set(series.flatMap(({points}) => points.map(({x}) => x)))].toSorted((a, b) => a - b);
}
