import {NOISE, pointCount, type PointSet} from '@epsball/clustering';
import type {Axis, Mark} from 'vega';
import {countNoise, formatCount, formatPercent} from '../text.ts';
import {drawChart, linearAxis, mark, round} from './chart.ts';
import {fitFrame, placeX, placeY, type Frame} from './frame.ts';
import {drawLegend} from './legend.ts';
import {assignColors, CLUSTER_COLORS, locateClusters, NOISE_COLOR} from './palette.ts';
import {dotRadius, rasterizePoints} from './raster.ts';

export interface ScatterOptions {
  readonly title: string;
  /** Behind points, clusters and noise in the line below the title: the parameters. */
  readonly note: string;
  /** Drawn in the legend to scale, if large enough to see. */
  readonly eps?: number | undefined;
  /** Names of the axes. Default: x and y. */
  readonly columns?: readonly string[] | undefined;
}

/** Largest width of the plot area, without margins and legend. */
const WIDTH = 900;
/** Up to this many points each is a circle. For more, a picture is smaller and as sharp. */
const CIRCLES_MAX = 2500;

/**
 * A scatter plot of the clusters, for up to tens of millions of points. Points of more than two dimensions are drawn by
 * their first two axes; points of one dimension are spread over a band.
 */
export function renderScatter(points: PointSet, labels: Int32Array, options: ScatterOptions): Promise<string> {
  const {dim} = points;
  const frame = fitFrame(points, WIDTH);
  const {width, height, xRange, yRange} = frame;
  const spots = locateClusters(points, labels, frame);
  const colors = assignColors(spots);
  const noise = countNoise(labels);
  const unnamed = dim <= 2 ? ['x', 'y'] : [`axis 0 of ${dim}`, `axis 1 of ${dim}`];
  const [x, y] = unnamed.map((name, axis) => options.columns?.[axis] ?? name);
  const axes: Axis[] = [{orient: 'bottom', scale: 'x', title: x, ...linearAxis(width, xRange)}];
  if (dim > 1) axes.push({orient: 'left', scale: 'y', title: y, ...linearAxis(height, yRange)});
  const isLarge = pointCount(points) > CIRCLES_MAX;
  const subtitle = `${summaryOf(labels.length, spots.length, noise)} · ${options.note}`;
  return drawChart('scatter', {
    title: {text: options.title, subtitle},
    width,
    height,
    data: [{name: 'points', values: isLarge ? [] : circlesOf(points, labels, colors, frame)}],
    scales: [
      {name: 'x', domain: [...xRange], range: 'width', zero: false},
      {name: 'y', domain: [...yRange], range: 'height', zero: false},
    ],
    axes,
    marks: [
      isLarge ? pictureOf(points, labels, colors, frame) : drawCircles(dotRadius(pointCount(points), frame)),
      drawLegend(spots, colors, noise, frame, options.eps),
    ],
  });
}

function summaryOf(n: number, clusterCount: number, noise: number): string {
  const share = n === 0 ? '' : ` · ${formatPercent(noise / n)} noise`;
  return `${formatCount(n)} points · ${formatCount(clusterCount)} cluster${clusterCount === 1 ? '' : 's'}${share}`;
}

function pictureOf(points: PointSet, labels: Int32Array, colors: Uint8Array, frame: Frame): Mark {
  const png = Buffer.from(rasterizePoints(points, labels, colors, frame)).toString('base64');
  return mark('image', {url: `data:image/png;base64,${png}`, width: frame.width, height: frame.height});
}

/** Noise first, so that clusters lie on top. */
function circlesOf(points: PointSet, labels: Int32Array, colors: Uint8Array, frame: Frame): object[] {
  const rows = Array.from(labels, (label, i) => ({
    x: round(placeX(frame, points, i)),
    y: round(placeY(frame, points, i)),
    fill: label === NOISE ? NOISE_COLOR : CLUSTER_COLORS[colors[label]],
    opacity: label === NOISE ? 0.5 : 0.85,
  }));
  return rows.toSorted((a, b) => a.opacity - b.opacity);
}

function drawCircles(radius: number): Mark {
  const [x, y, fill, fillOpacity] = ['x', 'y', 'fill', 'opacity'].map((field) => ({field}));
  return mark('symbol', {x, y, fill, fillOpacity, size: 4 * radius ** 2}, {from: {data: 'points'}});
}
