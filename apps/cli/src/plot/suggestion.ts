import type {Suggestion} from '@epsball/dbscan/suggest';
import {escapeHtml} from '../escape.ts';
import {shareOf} from './frame.ts';
import {CLUSTER_COLORS} from './palette.ts';
import {FONT_FAMILY, num, themeStyle, type Theme} from './svg.ts';
import {niceTicks} from './ticks.ts';

const PLOT = {width: 900, height: 430};
const COUNT_HEIGHT = 150;
const GAP = 58;
const MARGIN = {top: 84, right: 150, bottom: 56, left: 84};
/** Steps of the curve: one every pixel. */
const STEPS = PLOT.width;
const PROPOSALS = ['plateau', 'knee', 'cut'] as const;
/** Least distance of two names, in pixels. */
const NAME_HEIGHT = 34;

export interface SuggestionPlot {
  readonly title: string;
  /** Unit of eps, or empty. */
  readonly unit: string;
  readonly theme: Theme;
}

type Range = readonly [min: number, max: number];

/** The curve of k-distances with the proposals, and the number of clusters over eps, as one self-contained SVG. */
export function renderSuggestion(suggestion: Suggestion, {title, unit, theme}: SuggestionPlot): string {
  const {minPts, distances, counts, hasStructure, plateau} = suggestion;
  const range = logRange(suggestion);
  const verdict = hasStructure
    ? `plateau of ${(plateau?.octaves ?? 0).toFixed(2)} octaves`
    : 'no plateau of half an octave: no structure at this scale';
  const subtitle = `distance to the ${ordinal(minPts)} nearest point of ${distances.length} points · ${verdict}`;
  const [width, height] = [
    MARGIN.left + PLOT.width + MARGIN.right,
    MARGIN.top + PLOT.height + GAP + COUNT_HEIGHT + MARGIN.bottom,
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${FONT_FAMILY}" role="img" aria-label="${escapeHtml(`${title}: ${subtitle}`)}">`,
    themeStyle(theme),
    `<rect class="eb-page" width="${width}" height="${height}"/>`,
    `<text class="eb-ink" x="${MARGIN.left}" y="36" font-size="21" font-weight="600">${escapeHtml(title)}</text>`,
    `<text class="eb-muted" x="${MARGIN.left}" y="60" font-size="14">${escapeHtml(subtitle)}</text>`,
    `<g transform="translate(${MARGIN.left} ${MARGIN.top})">`,
    drawDistances(suggestion, range, unit),
    '</g>',
    counts.length === 0
      ? ''
      : `<g transform="translate(${MARGIN.left} ${MARGIN.top + PLOT.height + GAP})">${drawCounts(suggestion, range, unit)}</g>`,
    '</svg>',
  ].join('\n');
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
  const parts = logTicks(range).map(
    ({value, label}) =>
      `<path class="eb-grid" d="M0 ${num(y(value))}H${PLOT.width}"/>` +
      `<text class="eb-muted" x="-10" y="${num(y(value) + 4)}" font-size="12" text-anchor="end">${label}</text>`,
  );
  if (plateau !== undefined) {
    const [top, bottom] = [y(plateau.to), y(plateau.from)];
    parts.push(
      `<rect x="0" y="${num(top)}" width="${PLOT.width}" height="${num(Math.max(1, bottom - top))}" fill="${colorOf('plateau')}" fill-opacity=".14"/>`,
    );
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
  parts.push(name(PLOT.width / 2, PLOT.height + 24, 'points, by distance', ''));
  parts.push(name(-62, PLOT.height / 2, unit === '' ? 'distance' : `distance (${unit})`, 'rotated'));
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
        `<path d="M0 ${num(at)}H${PLOT.width}" stroke="${colorOf(kind)}" stroke-width="1.5" stroke-dasharray="5 4"/>` +
        `<text x="${PLOT.width + 8}" y="${num(top + 12)}" font-size="13" font-weight="600" fill="${colorOf(kind)}">${kind} ${short(eps)}${escapeHtml(unit)}</text>` +
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
  const {values, labels} = niceTicks(0, 1.1 * most, 4);
  const parts = values.flatMap((value, t) =>
    Number.isInteger(value)
      ? [
          `<path class="eb-grid" d="M0 ${num(y(value))}H${PLOT.width}"/>` +
            `<text class="eb-muted" x="-10" y="${num(y(value) + 4)}" font-size="12" text-anchor="end">${labels[t]}</text>`,
        ]
      : [],
  );
  for (const {value, label} of logTicks(range)) {
    parts.push(
      `<path class="eb-grid" d="M${num(x(value))} 0V${COUNT_HEIGHT}"/>` +
        `<text class="eb-muted" x="${num(x(value))}" y="${COUNT_HEIGHT + 18}" font-size="12" text-anchor="middle">${label}</text>`,
    );
  }
  if (plateau !== undefined) {
    const [left, right] = [x(plateau.from), x(plateau.to)];
    parts.push(
      `<rect x="${num(left)}" y="0" width="${num(Math.max(1, right - left))}" height="${COUNT_HEIGHT}" fill="${colorOf('plateau')}" fill-opacity=".14"/>`,
    );
  }
  const steps = counts.map(({eps, clusters}) => `${num(x(eps))} ${num(y(clusters))}`);
  parts.push(`<path class="eb-edge" d="M${steps.join('L')}" stroke-width="2"/>`);
  parts.push(
    ...counts.map(
      ({eps, clusters}) => `<circle class="eb-muted" cx="${num(x(eps))}" cy="${num(y(clusters))}" r="2.5"/>`,
    ),
  );
  parts.push(name(PLOT.width / 2, COUNT_HEIGHT + 42, unit === '' ? 'eps' : `eps (${unit})`, ''));
  parts.push(name(-62, COUNT_HEIGHT / 2, 'clusters', 'rotated'));
  return parts.join('');
}

function colorOf(kind: (typeof PROPOSALS)[number]): string {
  return CLUSTER_COLORS[PROPOSALS.indexOf(kind)];
}

function name(x: number, y: number, text: string, placement: '' | 'rotated'): string {
  const turn = placement === '' ? '' : ` transform="rotate(-90 ${num(x)} ${num(y)})"`;
  return `<text class="eb-muted" x="${num(x)}" y="${num(y)}" font-size="13" text-anchor="middle"${turn}>${escapeHtml(text)}</text>`;
}

/** Values 1, 2 and 5 times a power of ten; only powers of ten over many decades. */
function logTicks([min, max]: Range): readonly {readonly value: number; readonly label: string}[] {
  const factors = max - min > 3 ? [1] : [1, 2, 5];
  const every = Math.max(1, Math.ceil((max - min) / 12));
  const ticks: {value: number; label: string}[] = [];
  for (let power = Math.floor(min); power <= max; power += every) {
    for (const factor of factors) {
      const value = factor * 10 ** power;
      if (Math.log10(value) >= min && Math.log10(value) <= max) ticks.push({value, label: short(value)});
    }
  }
  return ticks;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function ordinal(k: number): string {
  const tens = k % 100;
  if (tens > 10 && tens < 14) return `${k}th`;
  return `${k}${['th', 'st', 'nd', 'rd'][k % 10] ?? 'th'}`;
}
