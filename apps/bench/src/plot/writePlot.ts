import type {DbscanParams, PointSet} from '@epsball/clustering';
import {writeFileAtomically} from '@epsball/datasets';
import {writeFile} from 'node:fs/promises';
import {basename, extname} from 'node:path';
import {renderScatter} from './scatter.ts';

export interface PlotContext {
  /** The file that the points came from. */
  readonly input: string;
  readonly params: DbscanParams;
  readonly columns?: readonly string[] | undefined;
}

/** Device pixels a CSS pixel of a PNG. */
const PNG_SCALE = 2;

/**
 * Writes a scatter plot, as SVG that follows the reader's light or dark setting or as a light PNG, whichever the
 * path ends in. A failed write leaves the old file whole.
 */
export async function writePlot(
  path: string,
  points: PointSet,
  labels: Int32Array,
  context: PlotContext,
): Promise<void> {
  const isPng = extname(path).toLowerCase() === '.png';
  const {eps, minPts} = context.params;
  const [x, y] = context.columns ?? [];
  const svg = renderScatter(points, labels, {
    title: basename(context.input),
    note: `eps ${eps}, minPts ${minPts}`,
    eps,
    axes: x !== undefined && y !== undefined ? [x, y] : undefined,
    theme: isPng ? 'light' : 'auto',
  });
  const content = isPng ? await svgToPng(svg) : svg;
  await writeFileAtomically(path, (temporaryPath) => writeFile(temporaryPath, content));
}

/** Renders an SVG as a PNG. */
export async function svgToPng(svg: string, scale: number = PNG_SCALE): Promise<Uint8Array> {
  const {Resvg} = await import('@resvg/resvg-js');
  const renderer = new Resvg(svg, {fitTo: {mode: 'zoom', value: scale}, font: {loadSystemFonts: true}});
  return renderer.render().asPng();
}
