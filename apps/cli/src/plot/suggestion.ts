import type {Suggestion} from '@epsball/dbscan/suggest';
import type {Axis, Mark} from 'vega';
import {drawChart, logAxis, logRange, mark, MUTED, type Range} from './chart.ts';
import {CLUSTER_COLORS} from './palette.ts';

const WIDTH = 900;
const HEIGHT = 430;
const COUNT_HEIGHT = 150;
const GAP = 58;
/** The names of both stand one below the other. */
const LEFT = {orient: 'left', gridScale: 'rank', minExtent: 80} as const;
const PROPOSALS = ['plateau', 'knee', 'cut'] as const;
/** Least distance of two names, in pixels. */
const NAME_HEIGHT = 34;

/** The curve of k-distances with the proposals, and the number of clusters over eps. `unit` of eps may be empty. */
export function renderSuggestion(suggestion: Suggestion, title: string, unit: string): Promise<string> {
  const {minPts, distances, counts, hasStructure, plateau} = suggestion;
  const proposals = PROPOSALS.map((kind) => suggestion[kind]?.eps ?? 0);
  const range = logRange([...distances, ...counts.map(({eps}) => eps), ...proposals]);
  const domain = range.map((exponent) => 10 ** exponent);
  const verdict = hasStructure
    ? `plateau of ${(plateau?.octaves ?? 0).toFixed(2)} octaves`
    : 'no plateau of half an octave: no structure at this scale';
  const subtitle = `distance to the ${ordinal(minPts)} nearest point of ${distances.length} points · ${verdict}`;
  const most = 1.1 * Math.max(1, ...counts.map(({clusters}) => clusters));
  const inUnit = unit === '' ? '' : ` (${unit})`;
  const log = logAxis(range);
  const above: Axis[] = [
    {orient: 'bottom', scale: 'rank', title: 'points, by distance', values: []},
    {...LEFT, ...log, scale: 'distance', title: `distance${inUnit}`},
  ];
  const below: Axis[] = [
    {orient: 'bottom', gridScale: 'clusters', ...log, scale: 'eps', title: `eps${inUnit}`},
    {...LEFT, grid: true, tickCount: 4, tickMinStep: 1, scale: 'clusters', title: 'clusters'},
  ];
  const curve = mark('group', {height: HEIGHT}, {axes: above, marks: drawDistances(suggestion, range, unit)});
  const steps = mark('group', {y: HEIGHT + GAP, height: COUNT_HEIGHT}, {axes: below, marks: drawCounts(suggestion)});
  return drawChart('suggestion', {
    title: {text: title, subtitle},
    width: WIDTH,
    height: HEIGHT + GAP + COUNT_HEIGHT,
    data: [
      {name: 'distances', values: curveOf(distances)},
      {name: 'counts', values: counts.map((count) => ({...count}))},
    ],
    scales: [
      {name: 'rank', domain: [0, Math.max(1, distances.length - 1)], range: 'width'},
      {name: 'distance', type: 'log', domain, range: [HEIGHT, 0]},
      {name: 'eps', type: 'log', domain, range: 'width'},
      {name: 'clusters', domain: [0, most], range: [COUNT_HEIGHT, 0]},
    ],
    marks: counts.length === 0 ? [curve] : [curve, steps],
  });
}

/** The finite distances above 0 by rank, one a pixel at most. */
function curveOf(distances: Suggestion['distances']): object[] {
  const shown = Array.from(distances.keys()).filter((rank) => distances[rank] > 0 && distances[rank] < Infinity);
  const stride = Math.max(1, (shown.length - 1) / (WIDTH - 1));
  return Array.from({length: Math.min(WIDTH, shown.length)}, (_, step) => {
    const rank = shown[Math.round(step * stride)];
    return {rank, distance: distances[rank]};
  });
}

/** The curve, with a line and a name for each proposal; names stay apart. */
function drawDistances(suggestion: Suggestion, [low, high]: Range, unit: string): Mark[] {
  const [x, y] = [scaled('rank', 'rank'), scaled('distance', 'distance')];
  const marks = [
    ...drawPlateau(suggestion, 'y', 'distance', {width: WIDTH}),
    mark('line', {x, y, stroke: MUTED}, {from: {data: 'distances'}}),
  ];
  const given = PROPOSALS.flatMap((kind, k) => {
    const proposal = suggestion[kind];
    return proposal === undefined ? [] : [{kind, fill: CLUSTER_COLORS[k], ...proposal}];
  }).toSorted((a, b) => b.eps - a.eps);
  let free = 0;
  for (const {kind, fill, eps, clusters, noise} of given) {
    const at = ((high - Math.log10(eps)) / (high - low)) * HEIGHT;
    const top = Math.max(free, at - NAME_HEIGHT / 2);
    free = top + NAME_HEIGHT;
    const name = {x: WIDTH + 8, fill};
    marks.push(
      mark('rule', {y: at, x2: WIDTH, stroke: fill, strokeWidth: 1.5, strokeDash: {value: [5, 4]}}),
      mark('text', {
        ...name,
        y: top + 12,
        text: `${kind} ${Number(eps.toPrecision(3))}${unit}`,
        fontSize: 13,
        fontWeight: 600,
      }),
      mark('text', {...name, y: top + 27, text: `${clusters} clusters, ${noise} noise`, fill: MUTED, fontSize: 12}),
    );
  }
  return marks;
}

/** The number of clusters at each eps. */
function drawCounts(suggestion: Suggestion): Mark[] {
  const [x, y] = [scaled('eps', 'eps'), scaled('clusters', 'clusters')];
  return [
    ...drawPlateau(suggestion, 'x', 'eps', {height: COUNT_HEIGHT}),
    mark('line', {x, y, stroke: MUTED}, {from: {data: 'counts'}}),
    mark('symbol', {x, y, size: 25, fill: MUTED}, {from: {data: 'counts'}}),
  ];
}

/** The plateau along an axis of a plot. */
function drawPlateau({plateau}: Suggestion, axis: 'x' | 'y', scale: string, across: Record<string, number>): Mark[] {
  if (plateau === undefined) return [];
  const [from, to] = [plateau.from, plateau.to].map((value) => ({scale, value}));
  return [mark('rect', {...across, [axis]: from, [`${axis}2`]: to, fill: CLUSTER_COLORS[0], fillOpacity: 0.14})];
}

function scaled(scale: string, field: string): object {
  return {scale, field};
}

function ordinal(k: number): string {
  const tens = k % 100;
  if (tens > 10 && tens < 14) return `${k}th`;
  return `${k}${['th', 'st', 'nd', 'rd'][k % 10] ?? 'th'}`;
}
