import type {TopLevelSpec} from 'vega-lite';
import type {Chart} from '../chart.ts';
import {CHART_WIDTH, renderChart} from '../renderChart.ts';

/** One bar: how one subject spent its time. */
export interface PhaseBar {
  readonly label: string;
  /** What was run and how long it took, in words. */
  readonly note: string;
  readonly phaseMs: Readonly<Record<string, number>>;
}

const BAR_HEIGHT = 22;
const ROW_HEIGHT = 56;

// Phases are an ordered thing, but neighbours in a bar must stay apart: hues in the page's fixed order.
export const PHASE_COLORS: Readonly<Record<string, string>> = {
  upload: 'var(--hue-8)',
  index: 'var(--hue-3)',
  core: 'var(--hue-2)',
  clusters: 'var(--hue-1)',
  borders: 'var(--hue-5)',
  readBack: 'var(--hue-7)',
};

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
  const rows = bars.flatMap(({phaseMs, label, note}, bar) => {
    const total = Object.values(phaseMs).reduce((sum, ms) => sum + ms, 0);
    let start = 0;
    return phases.map((phase, order) => {
      const share = total === 0 ? 0 : (phaseMs[phase] ?? 0) / total;
      const from = start;
      start += share;
      return {
        bar,
        label,
        note,
        phase,
        order,
        from,
        to: start,
        words: share >= 0.08 ? `${Math.round(share * 100)} %` : '',
      };
    });
  });
  const y = {field: 'bar', type: 'ordinal', axis: null, scale: {paddingInner: 0.3}} as const;
  const titles = bars.map(({label, note}, bar) => ({bar, text: `${label}: ${note}`}));
  return {
    width: CHART_WIDTH,
    height: bars.length * ROW_HEIGHT,
    layer: [
      {
        data: {values: rows},
        mark: {type: 'bar', height: BAR_HEIGHT, yOffset: 10, stroke: 'var(--surface)', strokeWidth: 2, cornerRadius: 3},
        encoding: {
          y,
          x: {field: 'from', type: 'quantitative', scale: {domain: [0, 1], nice: false}, axis: null},
          x2: {field: 'to'},
          color: {
            field: 'phase',
            type: 'nominal',
            title: null,
            scale: {domain: phases, range: phases.map((phase) => colors[phase])},
            legend: {
              orient: 'top',
              labelFontSize: 13,
              labelLimit: 0,
              labelColor: 'var(--ink)',
              symbolType: 'square',
              symbolStrokeWidth: 0,
            },
          },
        },
      },
      {
        data: {values: titles},
        mark: {type: 'text', align: 'left', baseline: 'bottom', dy: -5, fontSize: 13, color: 'var(--ink)'},
        encoding: {y, x: {datum: 0, type: 'quantitative'}, text: {field: 'text', type: 'nominal'}},
      },
    ],
  };
}
