import {isSameSubject, type PublishedFigure, type Subject} from '@epsball/benchmarks';
import {formatMs} from '@epsball/cli/command';
import type {Chart} from '../chart.ts';
import {growthText, spreadOf} from '../growth.ts';
import type {DocumentMark} from '../documentLayers.ts';
import {lineChart, type Series} from '../lineChart.ts';
import {renderChart} from '../renderChart.ts';
import {AXES} from './axis.ts';
import {
  columnOf,
  findCell,
  measuredCells,
  placesOf,
  speedUpsOf,
  subjectName,
  subjectsOf,
  type DbscanSection,
  type SpeedUp,
} from './section.ts';
import {drawPhases, PHASE_COLORS, type PhaseBar} from './phaseChart.ts';
import {variantHue} from '../variantHue.ts';
import {dashOf, seriesLabel} from './seriesLook.ts';
import {speedUpBars} from './speedUpBars.ts';
import {stageChart} from './stageChart.ts';

/** The charts of a section; a chart without data is left out. */
export async function drawCharts(section: DbscanSection): Promise<Chart[]> {
  if (section.suite.memoryLimits !== null) return [];
  const drawn = await Promise.all([
    timeChart(section, true),
    timeChart(section, false),
    ...speedUpCharts(section),
    phases(section),
    stageChart(section),
  ]);
  return drawn.filter((chart) => chart !== null);
}

/** Our times over n (logarithmic, the document's numbers beside) or another axis; or over n with both axes linear. */
async function timeChart(section: DbscanSection, log: boolean): Promise<Chart | null> {
  const {axis} = section.suite;
  if (!AXES[axis].isNumber || (axis !== 'n' && !log)) return null;
  const series = timeLines(section);
  if (series.length === 0) return null;
  const marks = log
    ? [
        ...marksOf(section, 'time', ({printed}) => `document: ${printed}`),
        ...lastInWords(marksOf(section, 'timeWithoutIndex', ({printed}) => `document: ${printed}`)),
      ]
    : [];
  const title = axis !== 'n' ? 'Time' : log ? 'Time, both axes logarithmic' : 'Time, both axes linear';
  const caption =
    log && marks.length > 0
      ? `Median wall time, transfers included; bars are the middle half of the runs. ${MARK_CAPTION}`
      : 'Median wall time, transfers included; bars are the middle half of the runs.';
  const spec = lineChart({
    series,
    marks,
    x: {title: AXES[axis].title, log: AXES[axis].isLog && log, ticks: ticksOf(section)},
    y: {log, unit: 'time'},
    rule: null,
  });
  return {name: log ? 'time' : 'time-linear', title, caption, svg: await renderChart(spec, title)};
}

const MARK_CAPTION =
  'Hollow diamonds are the document’s own numbers, from its own machine: compare shapes, not heights.';

/** One chart with all speed-ups, or one chart a baseline if the suite names baselines. */
function speedUpCharts(section: DbscanSection): Promise<Chart | null>[] {
  const speedUps = speedUpsOf(section);
  const {baselines} = section.suite;
  if (baselines === undefined) return [speedUpChart(section, speedUps, null)];
  return baselines.flatMap((baseline) => {
    const over = speedUps.filter((one) => isSameSubject(one.baseline, baseline));
    return [speedUpChart(section, over, baseline), speedUpBars(section, over, baseline)];
  });
}

/** @param only  the one baseline, or null if there are several */
async function speedUpChart(
  section: DbscanSection,
  speedUps: readonly SpeedUp[],
  only: Subject | null,
): Promise<Chart | null> {
  const axis = AXES[section.suite.axis];
  if (speedUps.length === 0 || !axis.isNumber) return null;
  const byLine = Map.groupBy(speedUps, ({run, subject, baseline}) =>
    seriesLabel(section, run, subjectName(subject) + (only === null ? ` over ${subjectName(baseline)}` : '')),
  );
  const series = [...byLine].map(([label, all]): Series => ({
    label,
    color: variantHue(all[0].subject.row),
    dash: dashOf(section, all[0].run, all[0].subject),
    points: all.map(({cell, factor}) => ({x: axis.valueOf(cell), y: factor})),
  }));
  const marks = marksOf(
    section,
    'speedUp',
    ({printed, subject}) => `document${only === null ? '' : `, ${subject.row}`}: ${printed}`,
    ({over}) => only === null || over === undefined || isSameSubject(over, only),
  );
  const title = only === null ? 'Speed-up' : `Speed-up over ${subjectName(only)}`;
  const spec = lineChart({
    series,
    marks,
    x: {title: axis.title, log: axis.isLog, ticks: ticksOf(section)},
    y: {log: true, unit: 'factor'},
    rule: 1,
  });
  const documentWords = marks.length === 0 ? '' : ' The document’s factor is its own two machines’.';
  return {
    name: only === null ? 'speed-up' : `speed-up-${section.suite.baselines?.indexOf(only)}`,
    title,
    caption: `How many times as fast. Both times of a quotient come from the same run on the same machine.${documentWords}`,
    svg: await renderChart(spec, title),
  };
}

/** Time by phase, at the last workload that each subject ran. */
async function phases(section: DbscanSection): Promise<Chart | null> {
  const axis = AXES[section.suite.axis];
  const bars = section.runs.flatMap((run) =>
    subjectsOf(section).flatMap((subject): PhaseBar[] => {
      const cell = measuredCells(run).findLast((one) => isSameSubject(columnOf(section, one), subject));
      if (cell === undefined) return [];
      const at = axis.describe(cell);
      const label = seriesLabel(section, run, subjectName(subject));
      return [{label, note: `${at}, ${formatMs(cell.wall.medianMs)}`, phaseMs: cell.phaseMs}];
    }),
  );
  const words = {
    name: 'phases',
    title: 'Where the time goes',
    caption: 'Share of each phase in the wall time, at the last workload that each one ran.',
  };
  return drawPhases(words, bars, PHASE_COLORS);
}

/** One line a subject and run; in a chart over n with the power by which its time grows. */
function timeLines(section: DbscanSection): Series[] {
  const axis = AXES[section.suite.axis];
  return section.runs.flatMap((run) =>
    subjectsOf(section).flatMap((subject): Series[] => {
      const cells = placesOf(section).flatMap((place) => {
        const cell = findCell(section, run, place, subject);
        return cell?.status === 'measured' ? [cell] : [];
      });
      const points = cells.map((cell) => ({x: axis.valueOf(cell), y: cell.wall.medianMs, ...spreadOf(cell.wall)}));
      if (points.length === 0) return [];
      const power = section.suite.axis === 'n' ? growthText(points) : '';
      return [
        {
          label: seriesLabel(section, run, subjectName(subject)) + power,
          color: variantHue(subject.row),
          dash: dashOf(section, run, subject),
          points,
        },
      ];
    }),
  );
}

/** The document's numbers of one quantity that have a place on the axis. */
function marksOf(
  section: DbscanSection,
  quantity: PublishedFigure['quantity'],
  textOf: (figure: PublishedFigure) => string,
  isWanted: (figure: PublishedFigure) => boolean = () => true,
): DocumentMark[] {
  return section.suite.published.flatMap((figure): DocumentMark[] => {
    const x = figureOnAxis(section, figure);
    if (figure.quantity !== quantity || x === undefined || !isWanted(figure)) return [];
    const color = variantHue(figure.subject.row);
    return [{x, y: figure.value, text: textOf(figure), color}];
  });
}

/** Many marks of one curve have words at their end only. */
function lastInWords(marks: readonly DocumentMark[]): DocumentMark[] {
  return marks.map((mark, k) => (k === marks.length - 1 ? mark : {...mark, text: ''}));
}

/** Every place of an axis of few numbers that double; undefined for others, whose labels are powers of ten. */
function ticksOf(section: DbscanSection): number[] | undefined {
  const {axis} = section.suite;
  if (axis !== 'minPts' && axis !== 'dim') return undefined;
  return [...new Set(placesOf(section).map((place) => AXES[axis].valueOf(place)))];
}

/** Place of a figure on the axis of its suite; undefined if the figure does not give it. */
function figureOnAxis({suite: {axis}}: DbscanSection, {n, dim, minPts, subject}: PublishedFigure): number | undefined {
  switch (axis) {
    case 'n':
      return n;
    case 'dim':
      return dim;
    case 'minPts':
      return minPts;
    case 'threads':
      return subject.threads ?? 1;
    default:
      return undefined;
  }
}
