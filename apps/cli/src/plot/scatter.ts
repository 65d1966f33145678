import {COLOR_COUNT} from '@epsball/clustering/palette';
import {NOISE, pointCount, type PartListener, type PointSet} from '@epsball/clustering';
import type {Outline} from '@epsball/datasets/outlines';
import {countNoise, formatCount, formatPercent} from '../text.ts';
import {fitFrame, placeX, placeY, type Frame} from './frame.ts';
import {drawAxes, drawLegend, LEGEND_WIDTH, type LegendEntry} from './furniture.ts';
import {drawOutlines} from './outlines.ts';
import {drawPage} from './page.ts';
import {assignColors, locateClusters, type ClusterSpot} from './palette.ts';
import {encodeIndexedPng} from './pngFile.ts';
import {buildPalette, dotRadius, rasterizePoints} from './raster.ts';
import {colorClass, num, type Theme} from './svg.ts';

export interface ScatterOptions {
  readonly title: string;
  /** Behind points, clusters and noise in the line below the title, for example the parameters. */
  readonly note?: string | undefined;
  /** Drawn in the legend to scale, if large enough to see. */
  readonly eps?: number | undefined;
  /** Names of the first two axes. */
  readonly axes?: readonly [x: string, y: string] | undefined;
  /** Of a map, whose axes are a longitude and a latitude in degrees. */
  readonly outlines?: readonly Outline[] | undefined;
  /** `auto` follows the reader's light or dark setting; a PNG needs `light` or `dark`. */
  readonly theme: Theme;
  /** Hears of the points that are drawn. Default: nothing. */
  readonly onProgress?: PartListener | undefined;
}

/** Largest width of the plot area, without margins and legend. */
const WIDTH = 900;
const MARGIN = {top: 82, bottom: 54, right: 24};
/** Up to this many points each is a circle. For more, a picture is smaller and as sharp. */
const CIRCLES_MAX = 2500;
/** More numbers of clusters would cover each other. */
const NUMBERS_MAX = 60;

/** Mean width of a letter of the subtitle, in pixels. */
const SUBTITLE_LETTER = 6.8;

/**
 * A scatter plot of the clusters as one self-contained SVG, for up to tens of millions of points. Points of more than
 * two dimensions are drawn by their first two axes, for which `writePlot` takes the principal ones. Points of one
 * dimension are spread over a band.
 */
export function renderScatter(points: PointSet, labels: Int32Array, options: ScatterOptions): string {
  const frame = fitFrame(points, WIDTH);
  const spots = locateClusters(points, labels, frame);
  const colors = assignColors(spots);
  const axes = drawAxes(frame, options.axes ?? defaultAxes(points.dim), points.dim > 1);
  const {left} = axes;
  const noise = countNoise(labels);
  const legend = drawLegend(legendOf(spots, colors), noise, frame, options.eps);
  const height = MARGIN.top + Math.max(frame.height + MARGIN.bottom, legend.height + 16);
  const isLarge = pointCount(points) > CIRCLES_MAX;
  const marks = isLarge
    ? drawPicture(points, labels, colors, {...options, frame})
    : drawCircles(points, labels, colors, frame);
  const outlines = drawOutlines(options.outlines ?? [], frame);
  const subtitle = [summaryOf(labels.length, spots.length, noise), options.note].filter(Boolean).join(' · ');
  const plotWidth = frame.width + LEGEND_WIDTH;
  const width = left + Math.max(plotWidth, Math.ceil(subtitle.length * SUBTITLE_LETTER)) + MARGIN.right;
  return drawPage(
    {...options, subtitle, width, height, left, kind: 'scatter'},
    `<g transform="translate(${left} ${MARGIN.top})">${axes.svg}${outlines}${marks}${drawNumbers(spots)}</g>\n` +
      `<g transform="translate(${left + frame.width + 22} ${MARGIN.top})">${legend.svg}</g>`,
  );
}

function defaultAxes(dim: number): readonly [string, string] {
  return dim <= 2 ? ['x', 'y'] : [`axis 0 of ${dim}`, `axis 1 of ${dim}`];
}

function legendOf(spots: readonly ClusterSpot[], colors: Uint8Array): LegendEntry[] {
  return spots
    .toSorted((a, b) => b.size - a.size || a.label - b.label)
    .map(({label, size}) => ({name: String(label), size, color: colors[label]}));
}

function summaryOf(n: number, clusterCount: number, noise: number): string {
  const share = n === 0 ? '' : ` · ${formatPercent(noise / n)} noise`;
  return `${formatCount(n)} points · ${formatCount(clusterCount)} cluster${clusterCount === 1 ? '' : 's'}${share}`;
}

/** One picture for each tone of the theme: an image does not follow the reader's setting. */
function drawPicture(
  points: PointSet,
  labels: Int32Array,
  colors: Uint8Array,
  {frame, theme, onProgress}: Pick<ScatterOptions, 'theme' | 'onProgress'> & {readonly frame: Frame},
): string {
  const image = rasterizePoints(points, labels, colors, frame, onProgress);
  const tones = theme === 'auto' ? (['light', 'dark'] as const) : [theme];
  return tones
    .map((tone) => {
      const png = Buffer.from(encodeIndexedPng({...image, palette: buildPalette(tone)})).toString('base64');
      return `<image class="eb-${tone}" width="${frame.width}" height="${frame.height}" href="data:image/png;base64,${png}"/>`;
    })
    .join('');
}

/** Numbers of the largest clusters where colours repeat. */
function drawNumbers(spots: readonly ClusterSpot[]): string {
  if (spots.length <= COLOR_COUNT) return '';
  const largest = spots.toSorted((a, b) => b.size - a.size || a.label - b.label).slice(0, NUMBERS_MAX);
  return largest
    .map(
      ({label, x, y}) =>
        `<text class="eb-ink eb-number" x="${num(x)}" y="${num(y + 4)}" font-size="12">${label}</text>`,
    )
    .join('');
}

/** Noise first, so that clusters lie on top. */
function drawCircles(points: PointSet, labels: Int32Array, colors: Uint8Array, frame: Frame): string {
  const radius = num(dotRadius(pointCount(points), frame));
  const circles = (wanted: (label: number) => boolean): string => {
    let drawn = '';
    for (let i = 0; i < labels.length; i++) {
      if (!wanted(labels[i])) continue;
      const fill = labels[i] === NOISE ? '' : ` class="${colorClass(colors[labels[i]])}"`;
      drawn += `<circle cx="${num(placeX(frame, points, i))}" cy="${num(placeY(frame, points, i))}" r="${radius}"${fill}/>`;
    }
    return drawn;
  };
  return (
    `<g class="${colorClass(-1)}">${circles((label) => label === NOISE)}</g>` +
    `<g fill-opacity=".85">${circles((label) => label !== NOISE)}</g>`
  );
}
