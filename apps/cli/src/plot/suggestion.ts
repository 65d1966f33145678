import type {Suggestion} from '@epsball/dbscan/suggest';
import {escapeHtml} from '../escape.ts';
import {shareOf} from './frame.ts';
import {drawAxis, drawPage, type Axis} from './page.ts';
import {colorClass, num, strokeClass, type Theme} from './svg.ts';
import {logTicks, niceTicks} from './ticks.ts';

const PLOT = {width: 900, height: 430};
const COUNT_HEIGHT = 150;
const GAP = 58;
const MARGIN = {top: 84, right: 150, bottom: 56, left: 84};
/** Steps of the curve: one every pixel. */
const STEPS = PLOT.width;
const PROPOSALS = ['plateau', 'knee', 'cut'] as const;
/** Least distance of two names, in pixels. */
const NAME_HEIGHT = 34;
/** Pixels from the plot to the name of a vertical axis. */
const NAME_GAP = 62;

export interface SuggestionPlot {
  readonly title: string;
  /** Unit of eps, or empty. */
  readonly unit: string;
  readonly theme: Theme;
}

type Range = readonly [min: number, max: number];

/** The curve of k-distances with the proposals, and the number of clusters over eps, as one self-contained SVG. */
export function renderSuggestion(suggestion: Suggestion, plot: SuggestionPlot): string {
  const {unit} = plot;
  const {minPts, distances, counts, hasStructure, plateau} = suggestion;
  const range = logRange(suggestion);
  const verdict = hasStructure
    ? `plateau of ${(plateau?.octaves ?? 0).toFixed(2)} octaves`
    : 'no plateau of half an octave: no structure at this scale';
  const subtitle = `distance to the ${ordinal(minPts)} nearest point of ${distances.length} points · ${verdict}`;
  const top = MARGIN.top + PLOT.height + GAP;
  const width = MARGIN.left + PLOT.width + MARGIN.right;
  const height = top + COUNT_HEIGHT + MARGIN.bottom;
  const steps = counts.length === 0 ? '' : drawCounts(suggestion, range, unit);
  return drawPage(
    {...plot, subtitle, width, height, left: MARGIN.left, kind: 'suggestion'},
    `<g transform="translate(${MARGIN.left} ${MARGIN.top})">${drawDistances(suggestion, range, unit)}</g>\n` +
      `<g transform="translate(${MARGIN.left} ${top})">${steps}</g>`,
  );
}

/** The range of eps on both axes, as logarithms. */
function logRange({distances, counts, plateau, knee, cut}: Suggestion): Range {
  const shown = [
    ...distances.filter((distance) => distance > 0 && distance < Infinity),
    ...counts.map(({eps}) => eps),
    ...[plateau, knee, cut].flatMap((proposal) => (proposal === undefined ? [] : [proposal.eps])),
  ];
  if (shown.length === 0) return [-1, 1];
  const logs = shown.map(Math.log10);
  const [min, max] = logs.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
  const margin = Math.max(0.02, (max - min) * 0.02);
  return [min - margin, max + margin];
}

function drawDistances(suggestion: Suggestion, range: Range, unit: string): string {
  const {distances, plateau} = suggestion;
  const y = (eps: number): number => (1 - shareOf(Math.log10(eps), range)) * PLOT.height;
  const parts = [
    drawAxis('bottom', {name: 'points, by distance', marks: [], gap: 24}, PLOT),
    drawAxis('left', {name: withUnit('distance', unit), marks: logMarks(range, y), gap: NAME_GAP}, PLOT),
  ];
  if (plateau !== undefined) {
    const [top, bottom] = [y(plateau.to), y(plateau.from)];
    parts.push(drawPlateau(0, top, PLOT.width, Math.max(1, bottom - top)));
  }
  const finite = distances.filter((distance) => distance > 0 && distance < Infinity);
  const zeros = distances.findIndex((distance) => distance > 0);
  const last = Math.max(1, distances.length - 1);
  const line = Array.from({length: Math.min(STEPS, finite.length)}, (_, step) => {
    const k = Math.round((step * (finite.length - 1)) / Math.max(1, Math.min(STEPS, finite.length) - 1));
    return `${num(((Math.max(0, zeros) + k) / last) * PLOT.width)} ${num(y(finite[k]))}`;
  });
  if (line.length > 0) parts.push(`<path class="eb-edge" d="M${line.join('L')}" stroke-width="2"/>`);
  parts.push(drawProposals(suggestion, y, unit));
  return parts.join('');
}

/** A line and a name for each proposal; names stay apart. */
function drawProposals(suggestion: Suggestion, y: (eps: number) => number, unit: string): string {
  const given = PROPOSALS.flatMap((kind) => {
    const proposal = suggestion[kind];
    return proposal === undefined ? [] : [{kind, ...proposal}];
  }).toSorted((a, b) => b.eps - a.eps);
  let free = 0;
  return given
    .map(({kind, eps, clusters, noise}) => {
      const at = y(eps);
      const top = Math.max(free, at - NAME_HEIGHT / 2);
      free = top + NAME_HEIGHT;
      return (
        `<path d="M0 ${num(at)}H${PLOT.width}" class="${strokeClass(PROPOSALS.indexOf(kind))}" stroke-width="1.5" stroke-dasharray="5 4"/>` +
        `<text x="${PLOT.width + 8}" y="${num(top + 12)}" font-size="13" font-weight="600" class="${colorClass(PROPOSALS.indexOf(kind))}">${kind} ${short(eps)}${escapeHtml(unit)}</text>` +
        `<text class="eb-muted" x="${PLOT.width + 8}" y="${num(top + 27)}" font-size="12">${clusters} clusters, ${noise} noise</text>`
      );
    })
    .join('');
}

/** The number of clusters at each eps, as steps. */
function drawCounts({counts, plateau}: Suggestion, range: Range, unit: string): string {
  const most = Math.max(1, ...counts.map(({clusters}) => clusters));
  const x = (eps: number): number => shareOf(Math.log10(eps), range) * PLOT.width;
  const y = (clusters: number): number => (1 - clusters / (1.1 * most)) * COUNT_HEIGHT;
  const area = {width: PLOT.width, height: COUNT_HEIGHT};
  const whole = niceTicks(0, 1.1 * most, 4).filter(({value}) => Number.isInteger(value));
  const marks = whole.map(({value, label}) => ({at: y(value), label}));
  const parts = [
    drawAxis('left', {name: 'clusters', marks, gap: NAME_GAP}, area),
    drawAxis('bottom', {name: withUnit('eps', unit), marks: logMarks(range, x), gap: 42}, area),
  ];
  if (plateau !== undefined) {
    const [left, right] = [x(plateau.from), x(plateau.to)];
    parts.push(drawPlateau(left, 0, Math.max(1, right - left), COUNT_HEIGHT));
  }
  const steps = counts.map(({eps, clusters}) => `${num(x(eps))} ${num(y(clusters))}`);
  parts.push(`<path class="eb-edge" d="M${steps.join('L')}" stroke-width="2"/>`);
  parts.push(
    ...counts.map(
      ({eps, clusters}) => `<circle class="eb-muted" cx="${num(x(eps))}" cy="${num(y(clusters))}" r="2.5"/>`,
    ),
  );
  return parts.join('');
}

function drawPlateau(x: number, y: number, width: number, height: number): string {
  return `<rect x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}" class="${colorClass(PROPOSALS.indexOf('plateau'))}" fill-opacity=".14"/>`;
}

function logMarks(range: Range, place: (value: number) => number): Axis['marks'] {
  return logTicks(...range).map((value) => ({at: place(value), label: short(value)}));
}

function withUnit(name: string, unit: string): string {
  return unit === '' ? name : `${name} (${unit})`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function ordinal(k: number): string {
  const tens = k % 100;
  if (tens > 10 && tens < 14) return `${k}th`;
  return `${k}${['th', 'st', 'nd', 'rd'][k % 10] ?? 'th'}`;
}
