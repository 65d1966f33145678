import {formatAbout, formatCount, formatMs} from './format.ts';
import {lineChart, type DocumentMark, type Series} from './lineChart.ts';
import {
  findCell,
  measuredCells,
  speedUpsOf,
  subjectName,
  subjectsOf,
  workloadsOf,
  type Run,
  type Section,
} from './model.ts';
import {phaseChart, type PhaseBar} from './phaseChart.ts';
import {renderChart} from './renderChart.ts';

/** One picture with the words around it. */
export interface Chart {
  /** File name stem, unique within the section. */
  readonly name: string;
  readonly title: string;
  readonly caption: string;
  readonly svg: string;
}

/** Eight hues that stay apart for colour-blind readers, in fixed order; the page defines both themes' steps. */
const HUES = 8;

/** Runs beyond these share the last dash; the table tells them apart. */
const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

/** The charts of a section; a chart without data is left out. */
export async function drawCharts(section: Section): Promise<Chart[]> {
  if (section.suite.memoryLimits !== null) return [];
  const drawn = await Promise.all([
    timeChart(section, true),
    timeChart(section, false),
    speedUpChart(section),
    phases(section),
  ]);
  return drawn.filter((chart) => chart !== null);
}

/** Our times over n (logarithmic, the document's numbers beside) or eps; or over n as the document draws them. */
async function timeChart(section: Section, log: boolean): Promise<Chart | null> {
  const {axis, published} = section.suite;
  if (axis === 'eps' && !log) return null;
  const series = lines(section, (run, cell) => (cell.status === 'measured' ? cell.wall.medianMs : null));
  if (series.length === 0) return null;
  const marks = log
    ? published
        .filter(({quantity}) => quantity === 'time')
        .map((figure): DocumentMark => ({
          x: figure.n,
          y: figure.value,
          text: `document: ${formatAbout('time', figure.value)} (${figure.machine})`,
          color: hue(section, subjectName(figure.subject)),
        }))
    : [];
  const title = axis === 'eps' ? 'Time' : log ? 'Time, both axes logarithmic' : 'Time, drawn as in the document';
  const caption =
    log && marks.length > 0
      ? `Median wall time, transfers included. ${MARK_CAPTION}`
      : 'Median wall time, transfers included.';
  const spec = lineChart({
    series,
    marks,
    x: axis === 'n' ? {title: 'points', log} : {title: 'eps', log: false},
    y: {log, unit: 'time'},
    rule: null,
  });
  return {name: log ? 'time' : 'time-linear', title, caption, svg: await renderChart(spec, title)};
}

const MARK_CAPTION =
  'Hollow diamonds are the document’s own numbers, from its own machine: compare shapes, not heights.';

async function speedUpChart(section: Section): Promise<Chart | null> {
  const speedUps = speedUpsOf(section);
  if (speedUps.length === 0) return null;
  const {axis, published} = section.suite;
  const byLine = Map.groupBy(speedUps, ({run, subject, baseline}) =>
    seriesLabel(section, run, `${subjectName(subject)} over ${subjectName(baseline)}`),
  );
  const baselines = [...new Set(speedUps.map(({baseline}) => subjectName(baseline)))];
  const series = [...byLine].map(([label, all]): Series => ({
    label,
    color: hue(section, subjectName(all[0].subject)),
    // The dash tells the baselines apart, or the runs where there are several.
    dash: DASHES[
      Math.min(
        DASHES.length - 1,
        section.runs.length > 1 ? section.runs.indexOf(all[0].run) : baselines.indexOf(subjectName(all[0].baseline)),
      )
    ],
    points: all.map(({n, eps, factor}) => ({x: axis === 'n' ? n : eps, y: factor})),
  }));
  const marks = published
    .filter(({quantity}) => quantity === 'speedUp')
    .map((figure): DocumentMark => ({
      x: figure.n,
      y: figure.value,
      text: `document: ${formatAbout('speedUp', figure.value)}`,
      color: hue(section, subjectName(figure.subject)),
    }));
  const title = 'Speed-up';
  const spec = lineChart({
    series,
    marks,
    x: axis === 'n' ? {title: 'points', log: true} : {title: 'eps', log: false},
    y: {log: true, unit: 'factor'},
    rule: 1,
  });
  const documentWords = marks.length === 0 ? '' : ' The document’s factor is its own two machines’.';
  return {
    name: 'speed-up',
    title,
    caption: `How many times as fast. Both times of a quotient come from the same run on the same machine.${documentWords}`,
    svg: await renderChart(spec, title),
  };
}

/** Where the time goes, at the largest workload that each subject ran. */
async function phases(section: Section): Promise<Chart | null> {
  const bars = section.runs.flatMap((run) =>
    subjectsOf(section).flatMap((subject): PhaseBar[] => {
      const cells = measuredCells(run).filter((cell) => subjectName(cell) === subjectName(subject));
      const cell = cells.at(-1);
      if (cell === undefined) return [];
      const at = section.suite.axis === 'n' ? `${formatCount(cell.n)} points` : `eps ${cell.eps}`;
      const label = seriesLabel(section, run, subjectName(subject));
      return [{label, note: `${at}, ${formatMs(cell.wall.medianMs)}`, phaseMs: cell.phaseMs}];
    }),
  );
  if (bars.length === 0) return null;
  const title = 'Where the time goes';
  return {
    name: 'phases',
    title,
    caption: 'Share of each phase in the wall time, at the largest workload that each one ran.',
    svg: await renderChart(phaseChart(bars), title),
  };
}

function lines(
  section: Section,
  valueOf: (run: Run, cell: NonNullable<ReturnType<typeof findCell>>) => number | null,
): Series[] {
  return section.runs.flatMap((run, index) =>
    subjectsOf(section).flatMap((subject): Series[] => {
      const points = workloadsOf(section).flatMap((workload) => {
        const cell = findCell(run, workload, subject);
        const y = cell === undefined ? null : valueOf(run, cell);
        return y === null ? [] : [{x: section.suite.axis === 'n' ? workload.n : workload.eps, y}];
      });
      if (points.length === 0) return [];
      const name = subjectName(subject);
      return [
        {
          label: seriesLabel(section, run, name),
          color: hue(section, name),
          dash: DASHES[Math.min(index, DASHES.length - 1)],
          points,
        },
      ];
    }),
  );
}

/** Names the run only where there are several. */
function seriesLabel(section: Section, run: Run, name: string): string {
  return section.runs.length > 1 ? `${name} · ${run.letter}` : name;
}

/** The colour of a subject, by its place in the section: the same in every chart. */
function hue(section: Section, name: string): string {
  const place = subjectsOf(section).findIndex((subject) => subjectName(subject) === name);
  return `var(--hue-${(Math.max(0, place) % HUES) + 1})`;
}
