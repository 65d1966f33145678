import type {TopLevelSpec} from 'vega-lite';
import type {Chart} from '../chart.ts';
import {breakWords} from '../breakWords.ts';
import {CHART_WIDTH, renderChart} from '../renderChart.ts';

/** One bar: how one subject spent its time. */
export interface PhaseBar {
  readonly label: string;
  /** What was run and how long it took, in words. */
  readonly note: string;
  readonly phaseMs: Readonly<Record<string, number>>;
}

const BAR_HEIGHT = 18;
const LINE_HEIGHT = 15;
/** Characters of a line above a bar. */
const LINE_LONG = 62;

// Another palette than that of the variants.
export const PHASE_COLORS: Readonly<Record<string, string>> = {
  upload: 'var(--phase-1)',
  index: 'var(--phase-2)',
  core: 'var(--phase-3)',
  clusters: 'var(--phase-4)',
  borders: 'var(--phase-5)',
  readBack: 'var(--phase-6)',
};

const LEGEND = {
  orient: 'top',
  labelFontSize: 12,
  columns: 3,
  labelLimit: 0,
  labelColor: 'var(--ink)',
  symbolType: 'square',
  symbolStrokeWidth: 0,
} as const;

/** Draws it; null where there are no bars. */
export async function drawPhases(
  words: Omit<Chart, 'svg'>,
  bars: readonly PhaseBar[],
  colors: Readonly<Record<string, string>>,
): Promise<Chart | null> {
  return bars.length === 0 ? null : {...words, svg: await renderChart(phaseChart(bars, colors), words.title)};
}

/**
 * Stacked bars of one length: the share of each phase, with the total in words above each bar.
 *
 * @param colors  by phase, in the order of the bars' parts
 */
function phaseChart(bars: readonly PhaseBar[], colors: Readonly<Record<string, string>>): TopLevelSpec {
  const phases = Object.keys(colors).filter((phase) => bars.some(({phaseMs}) => (phaseMs[phase] ?? 0) > 0));
  const rows = partsOf(bars, phases);
  const y = {field: 'bar', type: 'ordinal', axis: null, scale: {paddingInner: 0.3}} as const;
  const titles = bars.map(({label, note}, bar) => ({bar, lines: breakWords(`${label}: ${note}`, LINE_LONG)}));
  const lineCount = Math.max(1, ...titles.map(({lines}) => lines.length));
  const rowHeight = BAR_HEIGHT + lineCount * LINE_HEIGHT + 14;
  return {
    width: CHART_WIDTH,
    height: bars.length * rowHeight,
    autosize: 'none',
    padding: {left: 2, right: 6, top: phases.length > 3 ? 52 : 32, bottom: 6},
    layer: [
      {
        data: {values: rows},
        mark: {
          type: 'bar',
          height: BAR_HEIGHT,
          yOffset: (lineCount * LINE_HEIGHT) / 2,
          stroke: 'var(--surface)',
          strokeWidth: 2,
          cornerRadius: 3,
        },
        encoding: {
          y,
          x: {field: 'from', type: 'quantitative', scale: {domain: [0, 1], nice: false}, axis: null},
          x2: {field: 'to'},
          color: {
            field: 'phase',
            type: 'nominal',
            title: null,
            scale: {domain: phases, range: phases.map((phase) => colors[phase])},
            legend: LEGEND,
          },
        },
      },
      {
        data: {values: titles},
        mark: {
          type: 'text',
          align: 'left',
          baseline: 'line-bottom',
          dy: (lineCount * LINE_HEIGHT) / 2 - BAR_HEIGHT / 2 - 2 - (lineCount - 1) * LINE_HEIGHT,
          fontSize: 12,
          lineHeight: LINE_HEIGHT,
          color: 'var(--ink)',
        },
        encoding: {y, x: {datum: 0, type: 'quantitative'}, text: {field: 'lines', type: 'nominal'}},
      },
    ],
  };
}

/** Where each part of each bar begins and ends, as shares of its bar. */
function partsOf(bars: readonly PhaseBar[], phases: readonly string[]): object[] {
  return bars.flatMap(({phaseMs}, bar) => {
    const total = Object.values(phaseMs).reduce((sum, ms) => sum + ms, 0);
    let start = 0;
    return phases.map((phase, order) => {
      const share = total === 0 ? 0 : (phaseMs[phase] ?? 0) / total;
      const from = start;
      start += share;
      return {
        bar,
        phase,
        order,
        from,
        to: start,
      };
    });
  });
}
