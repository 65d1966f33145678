import type {NamedPoints} from '@epsball/clustering';
import {orderOfCoordinates} from '@epsball/clustering';

export type TableFormat = 'csv' | 'geojson';

/** Rows of one part of a file: a text of a million points is longer than engines allow. */
const PART = 50_000;

/**
 * Points with their labels as a file: CSV with a header, or GeoJSON of places. Rows are in the order of the points; −1
 * is noise.
 */
export function labelTable(points: NamedPoints, labels: Int32Array, format: TableFormat): Blob {
  const rowOf = format === 'csv' ? csvRow(points, labels) : feature(points, labels);
  const between = format === 'csv' ? '\n' : ',\n';
  const [head, tail] =
    format === 'csv'
      ? [`${namesOf(points).map(quoted).join()},label\n`, '\n']
      : ['{"type":"FeatureCollection","features":[\n', '\n]}\n'];
  const parts = [head];
  for (let from = 0; from < labels.length; from += PART) {
    const rows = Array.from({length: Math.min(PART, labels.length - from)}, (_, k) => rowOf(from + k));
    parts.push((from === 0 ? '' : between) + rows.join(between));
  }
  return new Blob([...parts, tail], {type: format === 'csv' ? 'text/csv' : 'application/geo+json'});
}

function csvRow({coords, dim}: NamedPoints, labels: Int32Array): (i: number) => string {
  return (i) => `${coords.subarray(i * dim, (i + 1) * dim).join()},${labels[i]}`;
}

function feature({coords, columns}: NamedPoints, labels: Int32Array): (i: number) => string {
  const [lon, lat] = orderOfCoordinates(columns) === 'lat-lon' ? [1, 0] : [0, 1];
  return (i) =>
    `{"type":"Feature","geometry":{"type":"Point","coordinates":[${coords[2 * i + lon]},${coords[2 * i + lat]}]},` +
    `"properties":{"row":${i},"label":${labels[i]}}}`;
}

/** The names of the axes; x, y, z or numbers where there are none. */
function namesOf({columns = [], dim}: NamedPoints): string[] {
  const usual = dim <= 3 ? ['x', 'y', 'z'] : [];
  return Array.from({length: dim}, (_, axis) => columns[axis] ?? usual[axis] ?? `x${axis}`);
}

function quoted(name: string): string {
  return /[",\n\r]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
