import type {TopLevelSpec} from 'vega-lite';
import {CHART_WIDTH} from './renderChart.ts';

/** One line of a chart. Its colour says which subject, its dash which run. */
export interface Series {
  readonly label: string;
  readonly color: string;
  readonly dash: readonly number[];
  readonly points: readonly {readonly x: number; readonly y: number}[];
}

/** A number of the source document, drawn hollow, with its machine in words. */
export interface DocumentMark {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly color: string;
}

/** What the vertical axis measures; `rate` is GB/s. */
type Unit = 'time' | 'factor' | 'rate';

export interface LineChartOptions {
  readonly series: readonly Series[];
  readonly marks: readonly DocumentMark[];
  readonly x: {
    readonly title: string;
    readonly log: boolean;
    /** Exponents k of the labels 2^k of a logarithmic axis. Default: labels at powers of ten, or at the values. */
    readonly powersOfTwo?: readonly number[];
    /** The same, each in full: for an axis that doubles a few times. */
    readonly ticks?: readonly number[] | undefined;
  };
  /** Without a title: the chart's own says what it shows. */
  readonly y: {readonly log: boolean; readonly unit: Unit};
  /** A dashed horizontal line, such as speed-up 1. */
  readonly rule: number | null;
}

const HEIGHT = 300;
const LONG_LABEL = 26;
/** A factor along the axis, and a logarithm across it, within which words meet a mark. */
const CROWDED_X = 20;
const CROWDED_Y = 0.3;

// Vega expressions for axis labels.
const TIME_LABEL =
  "datum.value >= 1000 ? format(datum.value / 1000, ',~r') + ' s' : datum.value >= 1 ? datum.value + ' ms' : datum.value === 0 ? '0' : format(datum.value * 1000, '~r') + ' µs'";
const COUNT_LABEL =
  "datum.value >= 1e6 ? format(datum.value / 1e6, '~r') + 'M' : datum.value >= 1000 ? format(datum.value / 1000, '~r') + 'k' : format(datum.value, '~r')";
const FULL_LABEL = "format(datum.value, ',')";
const POWER_OF_TWO_LABEL = "'2^' + format(log(datum.value) / LN2, 'd')";
const UNIT_LABELS: Readonly<Record<Unit, string>> = {
  time: TIME_LABEL,
  factor: "format(datum.value, '~r') + '×'",
  rate: "format(datum.value, ',~r')",
};

/** A chart of lines over n or eps, with the document's own numbers beside ours. */
export function lineChart(options: LineChartOptions): TopLevelSpec {
  const {series, rule} = options;
  const rows = series.flatMap(({label, points}) => points.map((point) => ({...point, series: label})));
  const domain = series.map(({label}) => label);
  // Long names take a line each.
  const legend = {...LEGEND, columns: domain.some((label) => label.length > LONG_LABEL) ? 1 : 2};
  const xEncoding = xEncodingOf(options);
  const yEncoding = yEncodingOf(options);
  return {
    width: CHART_WIDTH,
    height: HEIGHT,
    layer: [
      ...(rule === null ? [] : [ruleLayer(rule)]),
      {
        data: {values: rows},
        mark: {type: 'line', strokeWidth: 2, strokeJoin: 'round', strokeCap: 'round'},
        encoding: {
          x: xEncoding,
          y: yEncoding,
          color: {
            field: 'series',
            type: 'nominal',
            title: null,
            scale: {domain, range: series.map((one) => one.color)},
            legend,
          },
          strokeDash: {
            field: 'series',
            type: 'nominal',
            title: null,
            scale: {domain, range: series.map((one) => [...one.dash])},
            legend,
          },
        },
      },
      {
        data: {values: rows},
        mark: {type: 'point', filled: true, size: 56, stroke: 'var(--surface)', strokeWidth: 1.5, opacity: 1},
        encoding: {
          x: xEncoding,
          y: yEncoding,
          color: {field: 'series', type: 'nominal', scale: {domain, range: series.map((one) => one.color)}},
        },
      },
      ...documentLayers(options, xEncoding, yEncoding),
    ],
  };
}

const LEGEND = {
  orient: 'top',
  labelFontSize: 13,
  labelColor: 'var(--ink)',
  // No limit: without a canvas widths are guessed too large, and names would lose their ends.
  labelLimit: 0,
  symbolType: 'stroke',
  symbolSize: 400,
  symbolStrokeWidth: 2.5,
  offset: 14,
} as const;

type Layers = Extract<TopLevelSpec, {layer: unknown}>['layer'];
type Position = NonNullable<NonNullable<Extract<Layers[number], {mark: unknown}>['encoding']>['x']>;

function xEncodingOf({series, marks, x}: LineChartOptions): Position {
  const xs = [...series.flatMap(({points}) => points), ...marks].map((point) => point.x);
  const base = {field: 'x', type: 'quantitative'} as const;
  if (!x.log)
    return {...base, scale: {zero: false, nice: true}, axis: {title: x.title, tickCount: 5, labelExpr: COUNT_LABEL}};
  const {title, powersOfTwo, ticks} = x;
  const axis = {
    title,
    values: [...(powersOfTwo ?? ticks ?? placesOnAxis(xs))],
    labelExpr: powersOfTwo !== undefined ? POWER_OF_TWO_LABEL : ticks !== undefined ? FULL_LABEL : COUNT_LABEL,
  };
  return {...base, scale: {type: 'log', nice: false, domain: extent(xs)}, axis};
}

function yEncodingOf({series, marks, y, rule}: LineChartOptions): Position {
  const ys = [...series.flatMap(({points}) => points), ...marks].map((point) => point.y).concat(rule ?? []);
  const base = {field: 'y', type: 'quantitative'} as const;
  const axis = {title: null, labelExpr: UNIT_LABELS[y.unit]};
  if (!y.log) return {...base, scale: {zero: true, nice: true}, axis: {...axis, tickCount: 5}};
  return {...base, scale: {type: 'log', domain: decades(ys)}, axis: {...axis, values: powersOfTen(decades(ys))}};
}

function ruleLayer(value: number): Layers[number] {
  return {
    data: {values: [{}]},
    mark: {type: 'rule', stroke: 'var(--ink-2)', strokeDash: [2, 4], strokeWidth: 1},
    encoding: {y: {datum: value}},
  };
}

function documentLayers({series, marks}: LineChartOptions, x: Position, y: Position): Layers {
  if (marks.length === 0) return [];
  const [first] = extent([...series.flatMap(({points}) => points), ...marks].map((point) => point.x));
  const data = {values: marks.map((mark) => ({...mark}))};
  const stroke = {field: 'color', type: 'nominal', scale: null, legend: null} as const;
  return [
    {
      data,
      mark: {type: 'point', shape: 'diamond', filled: false, size: 130, strokeWidth: 2, opacity: 1},
      encoding: {x, y, stroke},
    },
    ...wordLayers(
      marks.filter((mark) => mark.x > first && !isCrowded(mark, marks)),
      {x, y, dy: 1, align: 'right'},
    ),
    ...wordLayers(
      marks.filter((mark) => mark.x > first && isCrowded(mark, marks)),
      {x, y, dy: -15, align: 'right'},
    ),
    // To the left of the first place stand the numbers of the axis.
    ...wordLayers(
      marks.filter((mark) => mark.x === first),
      {x, y, dy: 1, align: 'left'},
    ),
  ];
}

/** Position of words: beside (x, y), `dy` below it, and the end of the words that is at this place. */
interface WordPlace {
  readonly x: Position;
  readonly y: Position;
  readonly dy: number;
  readonly align: 'left' | 'right';
}

function wordLayers(marks: readonly DocumentMark[], {x, y, dy, align}: WordPlace): Layers {
  const worded = marks.filter(({text}) => text !== '');
  if (worded.length === 0) return [];
  const data = {values: worded.map((mark) => ({...mark}))};
  const text = {field: 'text', type: 'nominal'} as const;
  const words = {type: 'text', align, dx: align === 'left' ? 12 : -12, dy, fontSize: 12} as const;
  return [
    // A halo in the colour of the page keeps the words readable where a line runs through them.
    {data, mark: {...words, stroke: 'var(--surface)', strokeWidth: 5, strokeJoin: 'round'}, encoding: {x, y, text}},
    {data, mark: {...words, color: 'var(--ink-2)'}, encoding: {x, y, text}},
  ];
}

/** Whether another mark at about the same height would overlap the words of this mark. The words then go above it. */
function isCrowded(mark: DocumentMark, marks: readonly DocumentMark[]): boolean {
  return marks.some(
    (other) =>
      other !== mark &&
      other.x < mark.x &&
      other.x * CROWDED_X > mark.x &&
      Math.abs(Math.log(other.y / mark.y)) < CROWDED_Y,
  );
}

function extent(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

/** The smallest whole decades that hold the values. */
function decades(values: readonly number[]): [number, number] {
  const [low, high] = extent(values.filter((value) => value > 0));
  const floor = 10 ** Math.floor(Math.log10(low));
  const ceiling = 10 ** Math.ceil(Math.log10(high));
  return [floor, ceiling > floor ? ceiling : floor * 10];
}

/** The powers of ten between the values, or the values themselves where there are fewer than two of these. */
function placesOnAxis(values: readonly number[]): number[] {
  const powers = powersOfTen(values);
  return powers.length > 1 ? powers : [...new Set(values)].sort((a, b) => a - b);
}

/** Powers of ten within the values' extent. */
function powersOfTen(values: readonly number[]): number[] {
  const [low, high] = extent(values);
  const powers: number[] = [];
  // A rounding error in log10 must not lose the first or last power.
  for (let power = Math.ceil(Math.log10(low) - 1e-9); power <= Math.log10(high) + 1e-9; power++)
    powers.push(10 ** power);
  return powers;
}
