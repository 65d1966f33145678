import type {DbscanParams, PlaceOrder, PointSet} from '@epsball/clustering';
import {escapeControls, writeContent} from '@epsball/datasets';
import {basename, extname} from 'node:path';
import {loadOptional} from '../installLine.ts';
import type * as resvg from '@resvg/resvg-js';
import {renderScatter} from './scatter.ts';

export interface PlotContext {
  readonly input: string;
  readonly params?: DbscanParams | undefined;
  /** Other parameters, in words. */
  readonly note?: string | undefined;
  /** Names of the axes. Default: x and y. */
  readonly columns?: readonly string[] | undefined;
  /** Where the axes are a latitude and a longitude. A map has the longitude to the right. */
  readonly order?: PlaceOrder | undefined;
}

/** Device pixels per CSS pixel of a PNG. */
const PNG_SCALE = 2;

/**
 * Writes a scatter plot in the format of the extension: an SVG that follows the reader's light or dark setting, or a
 * light PNG. An old file at the path is unchanged until the new one is complete.
 */
export async function writePlot(
  path: string,
  points: PointSet,
  labels: Int32Array,
  context: PlotContext,
  signal?: AbortSignal,
): Promise<void> {
  const {params} = context;
  const isMap = context.order === 'lat-lon' && points.dim === 2;
  const [first, second] = (context.columns ?? []).map(escapeControls);
  const [x, y] = isMap ? [second, first] : [first, second];
  const svg = renderScatter(isMap ? swapAxes(points) : points, labels, {
    title: escapeControls(basename(context.input)),
    note: params === undefined ? context.note : `eps ${params.eps}, minPts ${params.minPts}`,
    eps: params?.eps,
    axes: x !== undefined && y !== undefined ? [x, y] : undefined,
    theme: isPng(path) ? 'light' : 'auto',
  });
  const content = isPng(path) ? await svgToPng(svg) : svg;
  await writeContent(path, content, signal);
}

/** Longitude to the right, latitude up. */
function swapAxes({coords, dim}: PointSet): PointSet {
  const swapped = coords.map((_, k) => coords[k % 2 === 0 ? k + 1 : k - 1]);
  return {coords: swapped, dim};
}

export function isPng(path: string): boolean {
  return extname(path).toLowerCase() === '.png';
}

export async function svgToPng(svg: string, scale: number = PNG_SCALE): Promise<Uint8Array> {
  const {Resvg} = await loadResvg();
  const renderer = new Resvg(svg, {fitTo: {mode: 'zoom', value: scale}, font: {loadSystemFonts: true}});
  return renderer.render().asPng();
}

/** Checks, before a run, that its plot can be rendered. */
export async function checkPlot(path: string): Promise<void> {
  if (isPng(path)) await loadResvg();
}

/** Renders SVG. An optional peer. */
function loadResvg(): Promise<typeof resvg> {
  return loadOptional('a plot as .png', '@resvg/resvg-js@2.6', () => import('@resvg/resvg-js'));
}
