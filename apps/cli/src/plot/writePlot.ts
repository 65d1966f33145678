import {
  reportParts,
  type Angles,
  type DbscanParams,
  type PlaceOrder,
  type PointSet,
  type RunOptions,
} from '@epsball/clustering';
import {escapeControls, writeContent} from '@epsball/datasets';
import {basename, extname} from 'node:path';
import {loadOptional} from '../installLine.ts';
import type * as resvg from '@resvg/resvg-js';
import {renderScatter} from './scatter.ts';
import type {Theme} from './svg.ts';

export interface PlotContext {
  readonly input: string;
  readonly params?: DbscanParams | undefined;
  /** Other parameters, in words. */
  readonly note?: string | undefined;
  /** Names of the axes. Default: x and y. */
  readonly columns?: readonly string[] | undefined;
  /** Where the axes are a latitude and a longitude. A map has the longitude to the right. */
  readonly order?: PlaceOrder | undefined;
  /** Of a latitude and a longitude. Default: degrees. */
  readonly angles?: Angles | undefined;
}

/** Device pixels per CSS pixel of a PNG. */
const PNG_SCALE = 2;

/** Writes a scatter plot. */
export async function writePlot(
  path: string,
  points: PointSet,
  labels: Int32Array,
  context: PlotContext,
  {signal, onProgress}: RunOptions = {},
): Promise<void> {
  onProgress?.({phase: 'plot', done: 0, total: 0});
  const {params, order, angles} = context;
  const isMap = order !== undefined && points.dim === 2;
  const isTurned = isMap && order === 'lat-lon';
  const [first, second] = (context.columns ?? []).map(escapeControls);
  const [x, y] = isTurned ? [second, first] : [first, second];
  const plane =
    points.dim > 2 && points.coords.length > 0
      ? (await import('./principalAxes.ts')).inPrincipalPlane(points)
      : undefined;
  const shown = isTurned ? swapAxes(points) : (plane?.points ?? points);
  const options = {
    title: escapeControls(basename(context.input)),
    note: params === undefined ? context.note : `eps ${params.eps}, minPts ${params.minPts}`,
    eps: params?.eps,
    outlines:
      isMap && angles !== 'radians' ? await (await import('@epsball/datasets/outlines')).loadOutlines() : undefined,
    onProgress: reportParts('plot', labels.length, onProgress),
    axes: plane?.axes ?? (x !== undefined && y !== undefined ? ([x, y] as const) : undefined),
  };
  await writeSvg(path, (theme) => renderScatter(shown, labels, {...options, theme}), signal);
}

/** Writes a plot in the format of the extension: an SVG that follows the reader's setting, or a light PNG. */
export async function writeSvg(path: string, render: (theme: Theme) => string, signal?: AbortSignal): Promise<void> {
  const content = isPng(path) ? await svgToPng(render('light')) : render('auto');
  await writeContent(path, content, signal);
}

/** Longitude to the right, latitude up. */
function swapAxes({coords, dim}: PointSet): PointSet {
  const swapped = coords.map((_, k) => coords[k % 2 === 0 ? k + 1 : k - 1]);
  return {coords: swapped, dim};
}

function isPng(path: string): boolean {
  return extname(path).toLowerCase() === '.png';
}

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
