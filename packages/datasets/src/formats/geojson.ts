import {
  geoJsonPositions,
  InvalidPointsError,
  reportParts,
  toPoints,
  type GeoJsonLike,
  type PartListener,
  type PointSet,
  type RunOptions,
} from '@epsball/clustering';
import type {OtherColumns} from './columnChoice.ts';
import {DatasetFormatError, listed} from './errors.ts';
import {extensionIn} from './extensions.ts';
import {groupsOfProperty} from './groups.ts';
import {parseJson} from './jsonRuns.ts';
import type {LoadedPoints} from './numbers.ts';
import {readSequence} from './geojsonSequence.ts';
import {readWholeFile, type OpenFile} from './openFile.ts';
import {expectedTime, timeOf} from './times.ts';

/** Longest text of JavaScript engines, less a margin. */
const TEXT_MAX = 2 ** 29 - 2 ** 16;

/** Parts of a read that are done when the text has been parsed, and when places are found. */
const PARSED = 0.85;
const PLACED = 0.92;

/** An object of GeoJSON for each point. */
type Objects = readonly (Readonly<Record<string, unknown>> | null)[];

/**
 * Reads the points of a GeoJSON file: longitude and latitude, float64. What else belongs to a point is in `properties`,
 * `members` and `altitudes`. The property `weightColumn` holds the weight of a point, `timeColumn` its time, and
 * `groupColumn` its group. A file whose name ends in `.geojson` is one object, any other a sequence of them.
 */
export async function readGeoJson(
  file: OpenFile,
  {
    weightColumn,
    timeColumn,
    groupColumn,
    missing = 'error',
    signal,
    onProgress,
  }: OtherColumns & RunOptions<'read'> & {readonly missing?: 'error' | 'nan' | undefined},
): Promise<LoadedPoints> {
  const {path} = file;
  const isSequence = extensionIn(path) !== '.geojson';
  // The file counts the bytes of a sequence.
  const report = isSequence ? undefined : reportParts('read', file.size, onProgress);
  report?.(0);
  const value = isSequence
    ? {type: 'FeatureCollection', features: await readSequence(file)}
    : await readObject(file, (part) => report?.(PARSED * part), signal);
  report?.(PARSED);
  const points = pointsOf(path, value, missing);
  report?.(PLACED);
  const positions = geoJsonPositions(value, missing === 'nan');
  const properties = positions.map(({feature}) => (isObject(feature?.['properties']) ? feature['properties'] : null));
  const members = membersOf(positions.map(({feature}) => feature));
  const altitudes = positions.map(({position}) => {
    const altitude: unknown = Array.isArray(position) ? position[2] : undefined;
    return typeof altitude === 'number' ? altitude : undefined;
  });
  report?.(1);
  return {
    ...points,
    properties,
    ...(members.some((one) => one !== null) ? {members} : {}),
    ...(altitudes.some((one) => one !== undefined) ? {altitudes} : {}),
    ...(weightColumn === undefined ? {} : {weights: weightsOf(path, properties, String(weightColumn), missing)}),
    ...(timeColumn === undefined ? {} : {times: timesOf(path, properties, String(timeColumn), missing)}),
    ...(groupColumn === undefined ? {} : {groups: groupsOfProperty(path, properties, String(groupColumn), missing)}),
  };
}

async function readObject(file: OpenFile, onPart: PartListener, signal: AbortSignal | undefined): Promise<unknown> {
  if (file.size > TEXT_MAX) {
    throw new DatasetFormatError(
      file.path,
      'is longer than 512 MB; expected a smaller file, or a sequence (.geojsonl)',
    );
  }
  const bytes = await readWholeFile(file, TEXT_MAX);
  try {
    return await parseJson(bytes, {onPart, signal});
  } catch (error) {
    signal?.throwIfAborted();
    throw new DatasetFormatError(file.path, 'is not JSON; expected GeoJSON of points', {cause: error});
  }
}

function pointsOf(
  path: string,
  value: unknown,
  missing: 'error' | 'nan',
): PointSet & {readonly columns?: readonly string[]} {
  if (!isGeoJson(value)) throw new DatasetFormatError(path, 'is JSON, but no GeoJSON; expected a FeatureCollection');
  try {
    return toPoints(value, undefined, missing);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = error instanceof InvalidPointsError ? error.message : `is no GeoJSON of points: ${error.message}`;
    throw new DatasetFormatError(path, reason, {cause: error});
  }
}

function isGeoJson(value: unknown): value is GeoJsonLike {
  return isObject(value) && typeof value['type'] === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The members that a written feature does not have of its own, feature by feature; null if there are none. */
function membersOf(features: readonly (Readonly<Record<string, unknown>> | undefined)[]): Objects {
  const known = new Map<unknown, Objects[number]>();
  return features.map((feature) => {
    const {type: _type, geometry: _geometry, properties: _properties, bbox: _bbox, ...rest} = feature ?? {};
    if (!known.has(feature)) known.set(feature, Object.keys(rest).length === 0 ? null : rest);
    return known.get(feature) ?? null;
  });
}

function weightsOf(path: string, properties: Objects, name: string, missing: 'error' | 'nan'): Float64Array {
  return Float64Array.from(properties, (one, i) => {
    const weight = one?.[name];
    if (typeof weight === 'number') return weight;
    if (missing === 'nan' && (weight ?? '') === '') return NaN;
    const names = Object.keys(one ?? {});
    const has = weight === undefined ? `has no property ${name}` : `has text for ${name}`;
    throw new DatasetFormatError(path, `point ${i} ${has}; expected a number among its properties ${listed(names)}`);
  });
}

function timesOf(path: string, properties: Objects, name: string, missing: 'error' | 'nan'): Float64Array {
  return Float64Array.from(properties, (one, i) => {
    const time = timeOf(one?.[name]);
    if (Number.isFinite(time)) return time;
    if (missing === 'nan' && (one?.[name] ?? '') === '') return NaN;
    throw new DatasetFormatError(path, `point ${i}: ${expectedTime(name, String(one?.[name]))}`);
  });
}
