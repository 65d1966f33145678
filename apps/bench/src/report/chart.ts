import type {Stated} from '@epsball/benchmarks';
import {escapeHtml, formatFactor, formatMs} from '@epsball/cli/command';
import {hueAt} from './theme.ts';

/** One line of a chart. Its marks have a shape of their own, so that colours need not tell lines apart. */
export interface Series {
  readonly label: string;
  readonly points: readonly {
    readonly x: number;
    readonly y: number;
    /** Ends of its error bar. Default: no bar. */
    readonly low?: number | undefined;
    readonly high?: number | undefined;
  }[];
  /** Not measured in this run: hollow marks and a dashed line. Default: false. */
  readonly isElsewhere?: boolean;
}

export interface Chart {
  readonly title: string;
  readonly caption: string;
  readonly x: string;
  /** Default: true. */
  readonly isLogX?: boolean | undefined;
  readonly unit: 'time' | 'factor';
  readonly series: readonly Series[];
  readonly stated?: readonly Stated[];
  /** Default: h4. */
  readonly heading?: 'h2' | 'h4';
}

// In the chart's own units; the page scales it. Narrow, so that a phone shows readable text.
const [WIDTH, HEIGHT] = [420, 250];
const [LEFT, RIGHT, TOP, BOTTOM] = [66, 24, 12, 40];
/** Characters of a line beside a document's mark, and pixels of a character. */
const [WORDS_LONG, CHARACTER] = [24, 6];
/** Places of an axis that are all labelled. */
const MOST_TICKS = 10;

/** Lines with their legend below, as HTML. A chart over a single place is a list of bars. Empty without points. */
export function chartHtml(chart: Chart): string {
  const series = chart.series.filter(({points}) => points.length > 0);
  const xs = new Set(series.flatMap(({points}) => points.map(({x}) => x)));
  if (xs.size === 0) return '';
  const body = xs.size === 1 ? barsHtml({...chart, series}) : `${chartSvg({...chart, series})}\n${legendHtml(series)}`;
  const caption = chart.caption === '' ? '' : `<figcaption>${escapeHtml(chart.caption)}</figcaption>`;
  const {heading = 'h4'} = chart;
  return `<figure class="card"><${heading}>${escapeHtml(chart.title)}</${heading}>\n${body}\n${caption}</figure>`;
}

function valueText(value: number, unit: Chart['unit']): string {
  return unit === 'time' ? formatMs(value) : formatFactor(value);
}

/** At one place: a bar a series, on a logarithmic scale with its value in words. */
function barsHtml({series, stated = [], unit, x}: Chart): string {
  const values = series.map(({points: [{y}]}) => y);
  const [low, high] = [Math.min(...values) / 2, Math.max(...values)];
  const rows = series.map(({label, points: [point]}, k) => {
    const share = (100 * Math.log(point.y / low)) / Math.log(high / low);
    return `<tr><th scope="row">${escapeHtml(label)}</th><td class="number">${valueText(point.y, unit)}</td><td class="bar"><i style="width:${share.toFixed(0)}%;background:${hueAt(k)}"></i></td></tr>`;
  });
  const document = stated.map(({text}) => escapeHtml(text)).filter((text) => text !== '');
  const words = document.length === 0 ? '' : `<p class="document small">Document: ${document.join(', ')}</p>`;
  return `<table class="bars"><tbody>${rows.join('')}</tbody></table>\n<p class="small">At one place only: ${escapeHtml(x)} ${series[0].points[0].x.toLocaleString('en-US')}; logarithmic.</p>${words}`;
}

function legendHtml(series: readonly Series[]): string {
  const items = series.map(({label, isElsewhere = false}, k) => {
    const dash = isElsewhere ? ' stroke-dasharray="4 3"' : '';
    return `<li><svg viewBox="0 0 26 12" aria-hidden="true"><path d="M0 6H26" stroke="${hueAt(k)}" stroke-width="2"${dash}/>${markSvg(13, 6, k, isElsewhere)}</svg>${escapeHtml(label)}</li>`;
  });
  return `<ul class="legend">${items.join('')}</ul>`;
}

/** A circle, a square, a triangle, a diamond or a cross. */
function markSvg(x: number, y: number, place: number, isHollow: boolean, title = ''): string {
  const [a, b] = [x.toFixed(1), y.toFixed(1)];
  const paint = isHollow
    ? `fill="var(--surface)" stroke="${hueAt(place)}" stroke-width="1.6"`
    : `fill="${hueAt(place)}" stroke="var(--surface)" stroke-width="1"`;
  const at = `transform="translate(${a} ${b})" ${paint}`;
  const shapes = [
    `<circle cx="${a}" cy="${b}" r="4" ${paint}>`,
    `<path d="M-3.6 -3.6H3.6V3.6H-3.6Z" ${at}>`,
    `<path d="M0 -4.6L4.4 3.4H-4.4Z" ${at}>`,
    `<path d="M0 -5L5 0L0 5L-5 0Z" ${at}>`,
    `<path d="M-1.5 -4.5H1.5V-1.5H4.5V1.5H1.5V4.5H-1.5V1.5H-4.5V-1.5H-1.5Z" ${at}>`,
  ];
  const shape = shapes[place % shapes.length];
  return `${shape}${title}${shape.startsWith('<circle') ? '</circle>' : '</path>'}`;
}

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly isLog: boolean;
  readonly at: (value: number) => number;
}

function scaleOf(
  [low, high]: readonly [number, number],
  isLog: boolean,
  [start, end]: readonly [number, number],
): Scale {
  const of = isLog ? Math.log : (value: number): number => value;
  return {low, high, isLog, at: (value) => start + ((of(value) - of(low)) / (of(high) - of(low))) * (end - start)};
}

/** The drawing alone; colours are variables of the page. */
function chartSvg({title, x, isLogX = true, unit, series, stated = []}: Chart): string {
  const points = series.flatMap((one) => one.points);
  const xs = [...points.map((point) => point.x), ...stated.flatMap((one) => [one.x, one.to ?? one.x])];
  const ys = [
    ...points.flatMap(({y, low = y, high = y}) => [y, low, high]),
    ...stated.flatMap(({y, low = y}) => [y, low]),
    ...(unit === 'factor' ? [1] : []),
  ].filter((value) => value > 0);
  const isLogY = unit === 'time' || Math.max(...ys) > 20 * Math.min(...ys);
  const xScale = scaleOf([Math.min(...xs), Math.max(...xs)], isLogX, [LEFT + 8, WIDTH - RIGHT]);
  const yScale = scaleOf(isLogY ? decades(ys) : [0, 1.08 * Math.max(...ys)], isLogY, [HEIGHT - BOTTOM, TOP]);
  const lines = series.map((one, k) => lineSvg(one, k, {x: xScale, y: yScale, unit, title: x}));
  return `<svg role="img" aria-label="${escapeHtml(title)}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-size="12" fill="none">
${axesSvg(
  xScale,
  yScale,
  [...new Set(points.map((point) => point.x))].toSorted((a, b) => a - b),
  unit,
)}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 4}" text-anchor="middle" fill="var(--ink-2)">${escapeHtml(x)}</text>
${stated
  .filter(({to}) => to !== undefined)
  .map((one) => bandSvg(one, xScale, yScale))
  .join('')}
${lines.join('\n')}
${stated
  .filter(({to}) => to === undefined)
  .map((one) => statedSvg(one, xScale, yScale))
  .join('')}
</svg>`;
}

function lineSvg(
  {label, points, isElsewhere = false}: Series,
  place: number,
  {x: xScale, y: yScale, unit, title}: {x: Scale; y: Scale; unit: Chart['unit']; title: string},
): string {
  const sorted = points.toSorted((a, b) => a.x - b.x);
  const path = sorted.map(({x, y}, k) => `${k === 0 ? 'M' : 'L'}${xScale.at(x).toFixed(1)} ${yScale.at(y).toFixed(1)}`);
  const dash = isElsewhere ? ' stroke-dasharray="5 3"' : '';
  const bars = sorted
    .filter(({low, high}) => low !== undefined && high !== undefined && high > low && low > 0)
    .map(
      ({x, low = 1, high = 1}) =>
        `M${xScale.at(x).toFixed(1)} ${yScale.at(low).toFixed(1)}V${yScale.at(high).toFixed(1)}`,
    );
  const error =
    bars.length === 0 ? '' : `<path d="${bars.join('')}" stroke="${hueAt(place)}" stroke-width="4" opacity="0.35"/>`;
  const marks = sorted.map(({x, y}) => {
    const words = `${label}: ${valueText(y, unit)} at ${title} ${x.toLocaleString('en-US')}`;
    return markSvg(xScale.at(x), yScale.at(y), place, isElsewhere, `<title>${escapeHtml(words)}</title>`);
  });
  return `<path d="${path.join('')}" stroke="${hueAt(place)}" stroke-width="2"${dash}/>${error}${marks.join('')}`;
}

function axesSvg(xScale: Scale, yScale: Scale, xs: readonly number[], unit: Chart['unit']): string {
  const bottom = HEIGHT - BOTTOM;
  const yTicks = ticksOf(yScale, []).map((value) => {
    const y = yScale.at(value).toFixed(1);
    const strong = unit === 'factor' && value === 1 ? 'var(--ink-2)' : 'var(--grid)';
    return `<path d="M${LEFT} ${y}H${WIDTH - RIGHT}" stroke="${strong}"/><text x="${LEFT - 6}" y="${y}" dy="4" text-anchor="end" fill="var(--ink-2)">${unit === 'time' ? shortTime(value) : `${shortCount(value)}×`}</text>`;
  });
  const xTicks = ticksOf(xScale, xs).map((value) => {
    const x = xScale.at(value).toFixed(1);
    return `<path d="M${x} ${bottom}v5" stroke="var(--ink-2)"/><text x="${x}" y="${bottom + 17}" text-anchor="middle" fill="var(--ink-2)">${shortCount(value)}</text>`;
  });
  return [...yTicks, ...xTicks].join('\n');
}

/** The places themselves if they are few and far enough apart, else round values. */
function ticksOf({low, high, isLog, at}: Scale, places: readonly number[]): number[] {
  const room = places
    .slice(1)
    .map((place, k) => at(place) - at(places[k]) - 3.4 * (widthOf(place) + widthOf(places[k])));
  if (places.length > 0 && places.length <= MOST_TICKS && Math.min(...room) > 4) return [...places];
  if (!isLog) {
    const step = 10 ** Math.floor(Math.log10((high - low) / 2));
    const wide = [1, 2, 5, 10].map((factor) => factor * step).find((one) => (high - low) / one <= 6) ?? step;
    const first = Math.ceil(low / wide - 1e-9);
    return Array.from({length: Math.floor(high / wide + 1e-9) - first + 1}, (_, k) =>
      Number(((first + k) * wide).toPrecision(6)),
    );
  }
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const powers = Array.from({length: Math.max(0, last - first + 1)}, (_, k) => 10 ** (first + k));
  const every = Math.ceil(powers.length / 7);
  const shown = powers.filter((_, k) => k % every === 0);
  if (shown.length > 1 || places.length === 0) return shown;
  return [...places].filter((_, k) => k % Math.ceil(places.length / 5) === 0);
}

/** Characters of a label. */
function widthOf(place: number): number {
  return shortCount(place).length;
}

function decades(values: readonly number[]): [number, number] {
  const floor = 10 ** Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const ceiling = 10 ** Math.ceil(Math.log10(Math.max(...values)) - 1e-9);
  return [floor, ceiling > floor ? ceiling : floor * 10];
}

/** `200k`, `1M`, `0.05` */
function shortCount(value: number): string {
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toFixed(1))}M`;
  return value >= 1000 && value % 100 === 0
    ? `${Number((value / 1000).toFixed(1))}k`
    : Number(value.toPrecision(4)).toLocaleString('en-US');
}

function shortTime(ms: number): string {
  if (ms >= 3_600_000 && ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms >= 1000) return `${(ms / 1000).toLocaleString('en-US')} s`;
  return ms >= 1 || ms === 0 ? `${ms} ms` : `${Number((ms * 1000).toPrecision(3))} µs`;
}

/** A number of a document, hollow, with its words on the side that has room. */
function statedSvg({x, y, text}: Stated, xScale: Scale, yScale: Scale): string {
  const [a, b] = [xScale.at(x), yScale.at(y)];
  const isRight = a < (LEFT + WIDTH) / 2;
  const mark = `<path d="M0 -6L6 0L0 6L-6 0Z" transform="translate(${a.toFixed(1)} ${b.toFixed(1)})" stroke="var(--document)" stroke-width="2" fill="var(--surface)"><title>${escapeHtml(`document: ${text}`)}</title></path>`;
  return text === ''
    ? mark
    : mark + wordsSvg(text, a + (isRight ? 10 : -10), Math.max(TOP + 8, b + 4), isRight ? 'start' : 'end');
}

function bandSvg({x, y, to = x, low = y, text}: Stated, xScale: Scale, yScale: Scale): string {
  const [left, right, top, bottom] = [xScale.at(x), xScale.at(to), yScale.at(y), yScale.at(Math.max(low, yScale.low))];
  const rect = `<rect x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${(right - left).toFixed(1)}" height="${Math.max(2, bottom - top).toFixed(1)}" fill="var(--document)" opacity="0.3"/>`;
  return rect + wordsSvg(text, left + 3, Math.max(TOP + 8, top - 5), 'start');
}

/** Words of a document in lines; a halo in the colour of the page keeps them readable where a line runs through. */
function wordsSvg(text: string, x: number, y: number, anchor: 'start' | 'end'): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= WORDS_LONG) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  const width = CHARACTER * Math.max(...lines.map(({length}) => length));
  const at = anchor === 'start' ? Math.min(x, WIDTH - width) : Math.max(x, width);
  const spans = lines.map(
    (line, k) => `<tspan x="${at.toFixed(1)}" dy="${k === 0 ? 0 : 13}">${escapeHtml(line)}</tspan>`,
  );
  return `<text y="${(y - 13 * (lines.length - 1)).toFixed(1)}" font-size="11" text-anchor="${anchor}" fill="var(--document)" stroke="var(--surface)" stroke-width="4" paint-order="stroke" stroke-linejoin="round">${spans.join('')}</text>`;
}
