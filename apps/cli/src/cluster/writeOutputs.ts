import {filled, type RunOptions} from '@epsball/clustering';
import type {LoadedPoints} from '@epsball/datasets';
import type {DbscanRequest} from '@epsball/dbscan';
import type {DbscanModel, HdbscanModel} from '@epsball/predict';
import {UsageError} from '../errors.ts';
import type {OutputFlags} from '../flags.ts';
import type {LabelTable} from '../keep/writeLabelTable.ts';
import {nameOfInput} from '../options.ts';
import {orderOf} from './metricFlags.ts';
import {labelsOfRows, type MissingRows} from './missingRows.ts';

export interface Clustered {
  readonly points: LoadedPoints;
  readonly request: DbscanRequest;
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array;
  readonly missing?: MissingRows | undefined;
  readonly kept?: LabelTable['kept'];
}

/** Writes labels, plot and model, each if its flag names a file. */
export async function writeOutputs(
  input: string,
  {out, plot, saveModel: modelFile}: OutputFlags & {readonly saveModel?: string},
  clustered: Clustered,
  options: RunOptions,
): Promise<void> {
  const {points, request, labels} = clustered;
  if (out !== undefined) await writeLabelled(out, {...clustered, globe: request}, options);
  if (modelFile !== undefined) await writeDbscanModel(modelFile, clustered, options);
  if (plot === undefined) return;
  const {writePlot} = await import('../plot/writePlot.ts');
  const {eps, minPts, metric = 'euclidean', epsUnit = '', angles} = request;
  // Only the Euclidean ball is a circle.
  const shown =
    metric === 'euclidean' ? {params: {eps, minPts}} : {note: `${metric}, eps ${eps}${epsUnit}, minPts ${minPts}`};
  const {columns} = points;
  const context = {input: nameOfInput(input), columns, order: orderOf(columns, metric), angles, ...shown};
  await writePlot(plot, points, labels, context, options);
}

type GlobeParams = Pick<DbscanRequest, 'metric' | 'angles'>;

export async function writeLabelled(
  out: string,
  {
    points,
    globe,
    missing,
    kept,
    ...found
  }: Pick<Clustered, 'points' | 'labels' | 'missing' | 'kept'> & {
    readonly coreMask?: Uint8Array;
    /** Beside the labels, but not in GeoJSON. */
    readonly columns?: Readonly<Record<string, Float64Array>> | undefined;
    readonly globe: GlobeParams;
  },
  options: RunOptions,
): Promise<void> {
  const table = labelsOfRows(found, missing);
  if (out.toLowerCase().endsWith('.geojson')) {
    const written = missing?.rule === 'noise' ? missing.read : points;
    const {properties, members, altitudes} = written;
    const {labels, coreMask} = table;
    const {writeGeoJson} = await import('@epsball/datasets');
    const others = {labels, coreMask, properties, members, altitudes};
    await writeGeoJson(out, lonLatOf(written, globe), others, options);
  } else {
    const {writeLabelTable} = await import('../keep/writeLabelTable.ts');
    await writeLabelTable(out, {...table, kept}, options);
  }
}

async function writeDbscanModel(
  file: string,
  {points, request, labels, coreMask}: Clustered,
  options: RunOptions,
): Promise<void> {
  const {createModel} = await import('@epsball/predict');
  await writeModel(file, createModel(points, request, {labels, coreMask}), options);
}

export async function writeModel(
  file: string,
  model: DbscanModel | HdbscanModel,
  {signal, onProgress}: RunOptions,
): Promise<void> {
  onProgress?.({phase: 'model', done: 0, total: 0});
  const [{saveModel}, {writeContent}] = await Promise.all([import('@epsball/predict'), import('@epsball/datasets')]);
  await writeContent(file, await saveModel(model), signal);
}

/**
 * The points with longitude first and in degrees, as GeoJSON has them. In the plane, columns whose names do not tell
 * are as GeoJSON has them already.
 */
function lonLatOf(points: LoadedPoints, {metric, angles}: GlobeParams): LoadedPoints {
  if (points.dim !== 2) throw new UsageError('--out', 'a .geojson file', 'points of two coordinates for GeoJSON');
  const isSwapped = orderOf(points.columns, metric) === 'lat-lon';
  const unit = angles === 'radians' ? 180 / Math.PI : 1;
  if (!isSwapped && unit === 1) return points;
  const {coords} = points;
  const axis = (k: number): number => (isSwapped ? k + 1 - 2 * (k % 2) : k);
  return {coords: filled(new Float64Array(coords.length), (k) => coords[axis(k)] * unit), dim: 2};
}
