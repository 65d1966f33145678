import {isSameSubject, type Subject} from '@epsball/benchmarks';
import type {TopLevelSpec} from 'vega-lite';
import {formatFactor} from '@epsball/cli/command';
import type {Chart} from '../chart.ts';
import {CHART_WIDTH, renderChart} from '../renderChart.ts';
import {AXES} from './axis.ts';
import {columnOf, subjectName, type DbscanSection, type SpeedUp} from './section.ts';
import {variantHue} from '../variantHue.ts';
import {seriesLabel} from './seriesLook.ts';

const BAR_HEIGHT = 18;
const ROW_HEIGHT = 46;

interface Bar {
  /** Place from the top. */
  readonly bar: number;
  readonly factor: number;
  readonly color: string;
  readonly text: string;
}

/** A document's factor, beside the bar of the same subject. */
interface Mark {
  readonly bar: number;
  readonly factor: number;
}

/**
 * Speed-ups at the last workload as bars, as documents often show them; null without speed-ups.
 *
 * @param speedUps  all over `baseline`
 */
export async function speedUpBars(
  section: DbscanSection,
  speedUps: readonly SpeedUp[],
  baseline: Subject,
): Promise<Chart | null> {
  const axis = AXES[section.suite.axis];
  if (speedUps.length === 0 || !axis.isNumber) return null;
  const last = Math.max(...speedUps.map(({cell}) => axis.valueOf(cell)));
  const shown = speedUps.filter(({cell}) => axis.valueOf(cell) === last);
  const marks: Mark[] = [];
  const bars = shown.map(({run, subject, cell, factor}, bar): Bar => {
    const name = subjectName(subject);
    const figure = section.suite.published.find(
      (one) =>
        one.quantity === 'speedUp' &&
        one.n === cell.n &&
        (one.over === undefined || isSameSubject(one.over, baseline)) &&
        isSameSubject(columnOf(section, one.subject), subject),
    );
    if (figure) marks.push({bar, factor: figure.value});
    const beside = figure ? ` (document: ${figure.printed})` : '';
    const text = `${seriesLabel(section, run, name)}: ${formatFactor(factor)}${beside}`;
    return {bar, factor, color: variantHue(subject.row), text};
  });
  const at = axis.describe(shown[0].cell);
  const title = `Speed-up over ${subjectName(baseline)}, ${at}`;
  const documentWords = marks.length === 0 ? '' : ' Hollow diamonds are the document’s, of its own two machines.';
  return {
    name: `speed-up-bars-${section.suite.baselines?.indexOf(baseline)}`,
    title,
    caption: `How many times as fast; the scale is logarithmic and begins below 1.${documentWords}`,
    svg: await renderChart(barChart(bars, marks), title),
  };
}

/** Bars from 1 on a logarithmic scale, with words above each. */
function barChart(bars: readonly Bar[], marks: readonly Mark[]): TopLevelSpec {
  const factors = [...bars, ...marks].map(({factor}) => factor);
  const domain: [number, number] = [Math.min(0.5, ...factors), Math.max(2, ...factors)];
  const y = {field: 'bar', type: 'ordinal', axis: null, scale: {paddingInner: 0.3}} as const;
  const x = {
    field: 'factor',
    type: 'quantitative',
    scale: {type: 'log', domain, nice: false},
    axis: {title: 'times as fast', format: ',~r', values: powersOfTen(domain), grid: true},
  } as const;
  return {
    width: CHART_WIDTH - 34,
    height: bars.length * ROW_HEIGHT,
    autosize: 'none',
    padding: {left: 10, right: 24, top: 8, bottom: 42},
    layer: [
      {
        data: {values: [...bars]},
        mark: {type: 'bar', height: BAR_HEIGHT, yOffset: 10, cornerRadius: 3},
        encoding: {y, x, x2: {datum: 1}, color: {field: 'color', type: 'nominal', scale: null}},
      },
      {
        data: {values: [...marks]},
        mark: {type: 'point', shape: 'diamond', size: 90, filled: false, color: 'var(--ink)', yOffset: 10},
        encoding: {y, x},
      },
      {
        data: {values: [...bars]},
        mark: {type: 'text', align: 'left', baseline: 'bottom', dy: -3, fontSize: 12, color: 'var(--ink)'},
        encoding: {y, x: {datum: domain[0], type: 'quantitative'}, text: {field: 'text', type: 'nominal'}},
      },
    ],
  };
}

/** Those within an interval. */
function powersOfTen([low, high]: readonly [number, number]): number[] {
  const first = Math.ceil(Math.log10(low));
  return Array.from({length: Math.floor(Math.log10(high)) - first + 1}, (_, k) => 10 ** (first + k));
}
