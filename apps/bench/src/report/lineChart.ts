import {formatFactor, formatMs} from '@epsball/cli/command';
import type {TopLevelSpec} from 'vega-lite';
import type {Axis, Color, Layers, Position} from './chartLayers.ts';
import {bandLayers, documentLayers, type ChartPlace, type DocumentBand, type DocumentMark} from './documentLayers.ts';
import {CHART_WIDTH} from './renderChart.ts';
import {labelWidth, placeLabels} from './seriesLabels.ts';

/** One point of a line. */
export interface SeriesPoint {
  readonly x: number;
  readonly y: number;
  /** Ends of its error bar. Default: no bar. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/** One line of a chart. Its colour says which variant, its dash which backend or run. */
export interface Series {
  /** Stands beside the last point. */
  readonly label: string;
  readonly color: string;
  readonly dash: readonly number[];
  readonly points: readonly SeriesPoint[];
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
  /** Ranges that the document states in words. Default: none. */
  readonly bands?: readonly DocumentBand[] | undefined;
}

const HEIGHT = 250;
/** Between the plot and the labels of the lines. */
const LABEL_GAP = 14;
const LABEL_SIZE = 12;
/** Of the labels of the vertical axis. */
const AXIS_WIDTH = 62;
// Vega expressions for axis labels.
const TIME_LABEL =
  "datum.value >= 1000 ? format(datum.value / 1000, ',~r') + ' s' : datum.value >= 1 ? datum.value + ' ms' : datum.value === 0 ? '0' : format(datum.value * 1000, '~r') + ' µs'";
const COUNT_LABEL =
  "datum.value >= 1e6 ? format(datum.value / 1e6, '~r') + 'M' : datum.value >= 1000 ? format(datum.value / 1000, '~r') + 'k' : format(datum.value, '~r')";
const FULL_LABEL = "format(datum.value, ',')";
const POWER_OF_TWO_LABEL = "'2^' + format(log(datum.value) / LN2, 'd')";
const UNIT_LABELS: Readonly<Record<Unit, string>> = {
  time: TIME_LABEL,
  factor: "format(datum.value, ',~r') + '×'",
  rate: "format(datum.value, ',~r')",
};

/** A chart of lines over n or eps, with the document's own numbers beside ours. Each line has its label at its end. */
export function lineChart(options: LineChartOptions): TopLevelSpec {
  const {series, rule} = options;
  const rows = series.flatMap(({color, points, label}, line) =>
    points.map((point) => ({...point, color, line: String(line), words: `${label}: ${pointWords(point, options)}`})),
  );
  const width = CHART_WIDTH - AXIS_WIDTH - LABEL_GAP - labelWidth(series.map(({label}) => label));
  const [xScale, yScale] = [xScaleOf(options), yScaleOf(options)];
  const x = {field: 'x', type: 'quantitative', scale: {...xScale, nice: false}, axis: xAxisOf(options)} as const;
  const y = {field: 'y', type: 'quantitative', scale: {...yScale, nice: false}, axis: yAxisOf(options)} as const;
  const color = {field: 'color', type: 'nominal', scale: null, legend: null} as const;
  const lines = series.map((one, line): Layers[number] => ({
    data: {values: rows.filter((row) => row.line === String(line))},
    mark: {type: 'line', strokeWidth: 2, strokeJoin: 'round', strokeCap: 'round', strokeDash: [...one.dash]},
    encoding: {x, y, color},
  }));
  const placeOf = (mark: ChartPlace): ChartPlace => ({
    x: pixel(mark.x, xScale, 0, width),
    y: pixel(mark.y, yScale, HEIGHT, 0),
  });
  const bars = rows.filter(({low, high}) => low !== undefined && high !== undefined && high > low);
  return {
    width,
    height: HEIGHT,
    // Without a canvas Vega guesses the widths of words too large, and a chart that fits itself is too wide.
    autosize: 'none',
    padding: {left: AXIS_WIDTH, right: CHART_WIDTH - width - AXIS_WIDTH, top: 10, bottom: 42},
    layer: [
      ...(rule === null ? [] : [ruleLayer(rule)]),
      ...bandLayers(options.bands ?? [], x),
      ...lines,
      ...(bars.length === 0 ? [] : [errorBars(bars, x, color)]),
      {
        data: {values: rows},
        mark: {type: 'point', filled: true, size: 46, stroke: 'var(--surface)', strokeWidth: 1.2, opacity: 1},
        encoding: {x, y, color, description: {field: 'words', type: 'nominal'}},
      },
      ...labelLayers(options, width, xScale, yScale),
      ...documentLayers(options.marks, placeOf, x, y),
    ],
  };
}

/** A point in words, for its title under the pointer and for screen readers. */
function pointWords({x, y}: SeriesPoint, {x: axis, y: {unit}}: LineChartOptions): string {
  const value = unit === 'time' ? formatMs(y) : unit === 'factor' ? formatFactor(y) : `${y.toPrecision(3)} GB/s`;
  return `${value} at ${axis.title} ${x.toLocaleString('en-US')}`;
}

interface Scale {
  readonly type: 'log' | 'linear';
  readonly domain: [number, number];
}

function errorBars(values: readonly object[], x: Position, color: Color): Layers[number] {
  return {
    data: {values: [...values]},
    mark: {type: 'rule', strokeWidth: 4, opacity: 0.35},
    encoding: {x, y: {field: 'low', type: 'quantitative'}, y2: {field: 'high'}, color},
  };
}

/** The label of each line beside its last point, joined by a thin line where it had to move. */
function labelLayers({series}: LineChartOptions, width: number, xScale: Scale, yScale: Scale): Layers {
  const ends = series.flatMap(({label, color, points}) => {
    const last = points.at(-1);
    if (last === undefined) return [];
    return [{text: label, color, x: pixel(last.x, xScale, 0, width), y: pixel(last.y, yScale, HEIGHT, 0)}];
  });
  const labels = placeLabels(ends, HEIGHT);
  const values = labels.map(({lines, ...label}) => ({...label, lines: [...lines], end: width + LABEL_GAP - 3}));
  const at = (field: string): Position => ({field, type: 'quantitative', scale: null, axis: null});
  const color = {field: 'color', type: 'nominal', scale: null, legend: null} as const;
  return [
    {
      data: {values},
      mark: {type: 'rule', strokeWidth: 1, opacity: 0.6},
      encoding: {x: at('x'), x2: {field: 'end'}, y: at('y'), y2: {field: 'labelY'}, color},
    },
    {
      data: {values},
      mark: {
        type: 'text',
        align: 'left',
        baseline: 'middle',
        fontSize: LABEL_SIZE,
        lineHeight: LABEL_SIZE + 2,
        dx: 4,
        clip: false,
      },
      encoding: {x: at('end'), y: at('labelY'), color, text: {field: 'lines', type: 'nominal'}},
    },
  ];
}

/** Where a value is on an axis that goes from `start` to `end`. */
function pixel(value: number, {type, domain: [low, high]}: Scale, start: number, end: number): number {
  const of = (one: number): number => (type === 'log' ? Math.log(one) : one);
  return start + ((of(value) - of(low)) / (of(high) - of(low))) * (end - start);
}

function extent(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

function xScaleOf({series, marks, x}: LineChartOptions): Scale {
  const xs = [...series.flatMap(({points}) => points), ...marks].map((point) => point.x);
  const [low, high] = extent(xs);
  if (low < high) return {type: x.log ? 'log' : 'linear', domain: [low, high]};
  return {type: x.log ? 'log' : 'linear', domain: x.log ? [low / 2, high * 2] : [low - 1, high + 1]};
}

function xAxisOf({series, marks, x}: LineChartOptions): Axis {
  const {title, powersOfTwo, ticks, log} = x;
  if (!log) return {title, tickCount: 5, labelExpr: COUNT_LABEL};
  const xs = [...series.flatMap(({points}) => points), ...marks].map((point) => point.x);
  const labelExpr = powersOfTwo !== undefined ? POWER_OF_TWO_LABEL : ticks !== undefined ? FULL_LABEL : COUNT_LABEL;
  return {title, values: [...(powersOfTwo ?? ticks ?? placesOnAxis(xs))], labelExpr};
}

function yScaleOf({series, marks, y, rule, bands = []}: LineChartOptions): Scale {
  const stated = bands.flatMap(({low, high}) => [low, high]);
  const ys = [...series.flatMap(({points}) => points), ...marks].map((point) => point.y).concat(rule ?? [], stated);
  if (y.log) return {type: 'log', domain: decades(ys)};
  return {type: 'linear', domain: [0, Math.max(...ys) * 1.05 || 1]};
}

function yAxisOf(options: LineChartOptions): Axis {
  const axis = {title: null, labelExpr: UNIT_LABELS[options.y.unit]};
  const {type, domain} = yScaleOf(options);
  return type === 'log' ? {...axis, values: powersOfTen(domain)} : {...axis, tickCount: 5};
}

function ruleLayer(value: number): Layers[number] {
  return {
    data: {values: [{}]},
    mark: {type: 'rule', stroke: 'var(--ink-2)', strokeDash: [2, 4], strokeWidth: 1},
    encoding: {y: {datum: value}},
  };
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
