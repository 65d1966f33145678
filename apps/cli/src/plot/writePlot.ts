import type {PlaceOrder, PointSet} from '@epsball/clustering';
import {escapeControls, writeContent} from '@epsball/datasets';
import {basename, extname} from 'node:path';
import {nameOfInput} from '../options.ts';
import {loadOptional} from '../installLine.ts';
import type * as resvg from '@resvg/resvg-js';
import {renderScatter, type ScatterOptions} from './scatter.ts';

export interface PlotContext extends Omit<ScatterOptions, 'title'> {
  readonly input: string;
  /** Where the axes are a latitude and a longitude. A map has the longitude to the right. */
  readonly order?: PlaceOrder | undefined;
}

/** Device pixels per CSS pixel of a PNG. */
const PNG_SCALE = 2;

/** Writes a scatter plot. */
export async function writePlot(
  path: string,
  points: PointSet,
  labels: Int32Array,
  context: PlotContext,
  signal?: AbortSignal,
): Promise<void> {
  const {input, order, columns, ...options} = context;
  const names = columns?.map(escapeControls);
  const isMap = order === 'lat-lon' && points.dim === 2;
  const shown = isMap ? swapAxes(points) : points;
  const svg = await renderScatter(shown, labels, {
    ...options,
    title: titleOf(input),
    columns: isMap ? names?.toReversed() : names,
  });
  await writeSvg(path, svg, signal);
}

/** The name of a file as a title. */
export function titleOf(input: string): string {
  return escapeControls(basename(nameOfInput(input)));
}

/** Writes a plot in the format of the extension: an SVG that follows the reader's setting, or a light PNG. */
export async function writeSvg(path: string, svg: string, signal?: AbortSignal): Promise<void> {
  await writeContent(path, isPng(path) ? await svgToPng(svg) : svg, signal);
}

/** Longitude to the right, latitude up. */
function swapAxes({coords, dim}: PointSet): PointSet {
  const swapped = coords.map((_, k) => coords[k % 2 === 0 ? k + 1 : k - 1]);
  return {coords: swapped, dim};
}

function isPng(path: string): boolean {
  return extname(path).toLowerCase() === '.png';
}

/** resvg ignores media queries, so that the picture is light. */
export async function svgToPng(svg: string): Promise<Uint8Array> {
  const {Resvg} = await loadResvg();
  const renderer = new Resvg(svg, {fitTo: {mode: 'zoom', value: PNG_SCALE}, font: {loadSystemFonts: true}});
  return renderer.render().asPng();
}

/** Checks, before a run, that its plots can be rendered; undefined: not written. */
export async function checkPlots(...paths: readonly (string | undefined)[]): Promise<void> {
  if (paths.some((path) => path !== undefined && isPng(path))) await loadResvg();
}

/** Renders SVG. An optional peer. */
function loadResvg(): Promise<typeof resvg> {
  return loadOptional('a plot as .png', '@resvg/resvg-js@2.6', () => import('@resvg/resvg-js'));
}
