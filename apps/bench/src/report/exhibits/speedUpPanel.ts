import type {Axis, MeasuredDbscanCell, Subject} from '@epsball/benchmarks';
import {formatMs} from '@epsball/cli/command';
import type {Chart} from '../chart.ts';
import {AXES} from '../dbscan/axis.ts';
import {MARK_NOTES} from '../dbscan/baselineTime.ts';
import type {DbscanSection} from '../dbscan/section.ts';
import {dashOf} from '../dbscan/seriesLook.ts';
import {dbscanSection, type MachineRuns} from '../front/machines.ts';
import {growthText, spreadOf} from '../growth.ts';
import type {DocumentBand, DocumentMark} from '../documentLayers.ts';
import {lineChart, type Series} from '../lineChart.ts';
import {renderChart} from '../renderChart.ts';
import {faint, fromDocument, numberColumn, plain, textColumn, type Table} from '../table.ts';
import {variantHue} from '../variantHue.ts';
import type {Factor} from '../verdicts/evidence.ts';
import {factorText} from '../verdicts/verdict.ts';
import type {Exhibit} from './exhibit.ts';

/** A figure that shows the times of two codes and their quotient. */
export interface PanelOptions {
  readonly suite: string;
  /** Names the files of its charts. */
  readonly name: string;
  readonly baseline: Subject;
  readonly subject: Subject;
  /** Instead of `baseline` and `subject`, the document's names. */
  readonly titles: readonly [baseline: string, subject: string];
  /** The document's words at a place, or nothing. */
  readonly words: (cell: MeasuredDbscanCell) => string;
  readonly timeMarks?: readonly DocumentMark[];
  readonly speedUpMarks?: readonly DocumentMark[];
  readonly bands?: readonly DocumentBand[];
  /** Speed-ups of a subject over a baseline. Default: those of `subject` over `baseline`. */
  readonly factors?: (machine: MachineRuns) => readonly Factor[];
}

/** Table and charts of such a figure; null without a speed-up. */
export async function speedUpPanel(machine: MachineRuns, options: PanelOptions): Promise<Exhibit | null> {
  const section = dbscanSection(machine, options.suite);
  const factors =
    options.factors?.(machine) ?? machine.evidence.factors(options.suite, options.subject, options.baseline);
  if (section === null || factors.length === 0) return null;
  const marks = new Set(factors.map(({mark}) => mark));
  return {
    tables: [{title: 'Times and speed-up', table: panelTable(section, factors, options)}],
    charts: [await speedUpChart(section, factors, options), await timeChart(section, factors, options)],
    notes: [...marks].map((mark) => MARK_NOTES[mark]).filter((note) => note !== ''),
  };
}

function panelTable(
  {suite: {axis}}: DbscanSection,
  factors: readonly Factor[],
  {titles, words}: Pick<PanelOptions, 'titles' | 'words'>,
): Table {
  const hasWords = factors.some(({cell}) => words(cell) !== '');
  return {
    columns: [
      numberColumn(AXES[axis].title),
      ...titles.map(numberColumn),
      numberColumn('speed-up'),
      ...(hasWords ? [textColumn('document: speed-up')] : []),
    ],
    rows: factors.map((one) => {
      const {cell, factor, mark} = one;
      const text = words(cell);
      return [
        plain(AXES[axis].format(cell)),
        plain(`${mark === '' ? '' : `${mark} `}${formatMs(factor * cell.wall.medianMs)}`),
        plain(formatMs(cell.wall.medianMs)),
        plain(factorText(one)),
        ...(hasWords ? [text === '' ? faint('–') : fromDocument(text)] : []),
      ];
    }),
  };
}

async function speedUpChart(
  section: DbscanSection,
  factors: readonly Factor[],
  {name, titles, subject, speedUpMarks = [], bands = []}: PanelOptions,
): Promise<Chart> {
  const axis = AXES[section.suite.axis];
  const series: Series = {
    label: titles[1],
    color: variantHue(subject.row),
    dash: [],
    points: factors.map(({cell, factor}) => ({
      x: axis.valueOf(cell),
      y: factor,
      low: quotientAt(cell, factor, 'high'),
      high: quotientAt(cell, factor, 'low'),
    })),
  };
  const title = `Speed-up over ${titles[0]}`;
  const x = {title: axis.title, log: axis.isLog, ticks: ticksOf(section.suite.axis, factors)};
  const spec = lineChart({series: [series], marks: speedUpMarks, bands, x, y: {log: true, unit: 'factor'}, rule: 1});
  const stated = speedUpMarks.length > 0 || bands.length > 0 ? ' Brown: what the document states in words.' : '';
  return {
    name: `${name}-speed-up`,
    title,
    caption: `How many times as fast; bars are the middle half of the runs of the faster code.${stated}`,
    svg: await renderChart(spec, title),
  };
}

/** The speed-up at an end of the middle half of the runs. */
function quotientAt({wall}: MeasuredDbscanCell, factor: number, end: 'low' | 'high'): number | undefined {
  const ms = spreadOf(wall)[end];
  return ms === undefined ? undefined : (factor * wall.medianMs) / ms;
}

async function timeChart(
  section: DbscanSection,
  factors: readonly Factor[],
  {name, titles, baseline, subject, timeMarks = []}: PanelOptions,
): Promise<Chart> {
  const axis = AXES[section.suite.axis];
  const run = section.runs[0];
  const base = factors.map(({cell, factor}) => ({x: axis.valueOf(cell), y: factor * cell.wall.medianMs}));
  const ours = factors.map(({cell}) => ({x: axis.valueOf(cell), y: cell.wall.medianMs, ...spreadOf(cell.wall)}));
  const power = (points: Series['points']): string => (section.suite.axis === 'n' ? growthText(points) : '');
  const series = [
    {
      label: titles[0] + power(base),
      color: variantHue(baseline.row),
      dash: dashOf(section, run, baseline),
      points: base,
    },
    {label: titles[1] + power(ours), color: variantHue(subject.row), dash: [], points: ours},
  ];
  const x = {title: axis.title, log: axis.isLog, ticks: ticksOf(section.suite.axis, factors)};
  const title = 'Time';
  const marks = timeMarks.length > 0 ? ' Hollow diamonds: the document’s numbers, of its machines.' : '';
  return {
    name: `${name}-time`,
    title,
    caption: `Median wall time, transfers included.${marks}`,
    svg: await renderChart(lineChart({series, marks: timeMarks, x, y: {log: true, unit: 'time'}, rule: null}), title),
  };
}

/** Each place of an axis that doubles a few times; undefined for others. */
function ticksOf(axis: Axis, factors: readonly Factor[]): number[] | undefined {
  if (axis !== 'minPts' && axis !== 'dim') return undefined;
  return [...new Set(factors.map(({cell}) => AXES[axis].valueOf(cell)))];
}
