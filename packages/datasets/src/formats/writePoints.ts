import {checkKnownOptions, InvalidParameterError, type PointSet} from '@epsball/clustering';
import {extensionOf, POINT_EXTENSIONS} from './extensions.ts';
import {npyHeader} from './npy.ts';
import type {LoadedPoints} from './numbers.ts';
import {writeBlocks, type Block} from './outputFile.ts';
import {arrayBlocks, axisNames, rowBlocks, type WriteOptions} from './rows.ts';

/**
 * Writes points in the format of the extension and in their own precision. `.f32` and `.bin` take float32 only; `.f64`
 * widens float32. CSV and Parquet columns are named x, y, z (x0, x1 … from four dimensions on), the HDF5 dataset
 * `points`.
 *
 * An old file at the path is unchanged until the new one is complete.
 *
 * @throws InvalidParameterError  if an option is unknown, or the points are float64 and the file float32
 * @throws DatasetFormatError     if the extension is unknown (lists the known extensions)
 * @throws DatasetWriteError      if the file cannot be written
 * @throws the signal's reason    if `options.signal` fires; nothing of the new file remains
 */
export async function writePoints(path: string, points: PointSet, options: WriteOptions = {}): Promise<void> {
  checkKnownOptions(options, ['signal', 'onProgress'], 'options', 'an object such as {signal}');
  const {signal, onProgress} = options;
  const {coords, dim} = points;
  const type = coords instanceof Float32Array ? '<f4' : '<f8';
  switch (extensionOf(path, POINT_EXTENSIONS)) {
    case '.npy':
      return writeBlocks(path, coordBlocks(npyHeader(type, [coords.length / dim, dim]), coords, onProgress), signal);
    case '.csv':
      return writeBlocks(path, csvBlocks(points, ',', onProgress), signal);
    case '.tsv':
    case '.txt':
      return writeBlocks(path, csvBlocks(points, '\t', onProgress), signal);
    case '.f32':
    case '.bin':
      return writeBlocks(path, rawBlocks(path, 4, points, onProgress), signal);
    case '.f64':
      return writeBlocks(path, rawBlocks(path, 8, points, onProgress), signal);
    case '.h5':
    case '.hdf5': {
      const {writeHdf5} = await import('./hdf5Writer.ts');
      return writeHdf5(path, points, options);
    }
    case '.geojson':
      if (dim !== 2) throw new InvalidParameterError('dim', dim, '2 for a .geojson file: lon, lat');
      return writeGeoJson(path, points, {}, options);
    case '.parquet': {
      const {writeParquet} = await import('./parquetWriter.ts');
      return writeParquet(path, points, options);
    }
  }
}

/** Enough digits to read back the same numbers. */
function csvBlocks(
  {coords, dim}: PointSet,
  delimiter: string,
  onProgress: WriteOptions['onProgress'],
): Iterable<Block> {
  const row = (i: number): string => {
    let text = '';
    for (let d = 0; d < dim; d++) {
      const value = coords[i * dim + d];
      text += (d === 0 ? '' : delimiter) + (Object.is(value, -0) ? '-0' : value);
    }
    return text;
  };
  return rowBlocks(axisNames(dim).join(delimiter), coords.length / dim, row, {onProgress});
}

/** Little-endian floats without a header. A float64 file takes float32 coordinates, which it holds exactly. */
function rawBlocks(
  path: string,
  bytes: 4 | 8,
  {coords}: PointSet,
  onProgress: WriteOptions['onProgress'],
): Iterable<Block> {
  if (coords.BYTES_PER_ELEMENT > bytes) {
    const expected = `float${bytes * 8} coordinates for ${path} (.f32 and .bin hold float32, .f64 float64)`;
    throw new InvalidParameterError('coords', `float${coords.BYTES_PER_ELEMENT * 8}`, expected);
  }
  const head = new Uint8Array(0);
  if (coords.BYTES_PER_ELEMENT === bytes) return coordBlocks(head, coords, onProgress);
  return arrayBlocks(head, coords.length, (from, to) => Float64Array.from(coords.subarray(from, to)), onProgress);
}

function coordBlocks(
  head: Uint8Array,
  coords: PointSet['coords'],
  onProgress: WriteOptions['onProgress'],
): Iterable<Block> {
  return arrayBlocks(head, coords.length, (start, end) => coords.subarray(start, end), onProgress);
}

/** What a GeoJSON file of points holds besides places. */
export interface GeoJsonColumns {
  /** Property `cluster`. */
  readonly labels?: Int32Array | undefined;
  /** Property `core`. */
  readonly coreMask?: Uint8Array | undefined;
  /** Further properties of each point. */
  readonly properties?: LoadedPoints['properties'] | undefined;
  /** Further members of each feature, such as `id`. */
  readonly members?: LoadedPoints['members'] | undefined;
  /** The third number of each position, if it has one. */
  readonly altitudes?: LoadedPoints['altitudes'] | undefined;
}

/**
 * Writes points as a GeoJSON file, a feature each. An old file at the path is unchanged until the new one is complete.
 *
 * @param points  2-D, longitude first; NaN for a feature without a place, whose geometry is null
 * @throws DatasetWriteError    if the file cannot be written
 * @throws the signal's reason  if `signal` fires
 */
export function writeGeoJson(
  path: string,
  {coords}: PointSet,
  {labels, coreMask, properties, members, altitudes}: GeoJsonColumns = {},
  {signal, onProgress}: WriteOptions = {},
): Promise<void> {
  const n = coords.length / 2;
  const row = (i: number): string => {
    const own = labels === undefined ? {} : {cluster: labels[i]};
    const core = coreMask === undefined ? {} : {core: coreMask[i] === 1};
    const altitude = altitudes?.[i];
    const coordinates = [coords[2 * i], coords[2 * i + 1], ...(altitude === undefined ? [] : [altitude])];
    const isPlace = !Number.isNaN(coords[2 * i]) && !Number.isNaN(coords[2 * i + 1]);
    const feature = {
      ...members?.[i],
      type: 'Feature',
      geometry: isPlace ? {type: 'Point', coordinates} : null,
      properties: {...properties?.[i], ...own, ...core},
    };
    return JSON.stringify(feature) + (i + 1 < n ? ',' : '');
  };
  const blocks = rowBlocks('{"type":"FeatureCollection","features":[', n, row, {tail: ']}\n', onProgress});
  return writeBlocks(path, blocks, signal);
}
