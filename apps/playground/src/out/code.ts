import type {LoadedData} from '../compute/api.ts';
import type {LinkState} from '../state/link.ts';
import {FILE_PREFIX} from '../state/sets.ts';

type Shown = Pick<LoadedData, 'columns' | 'available' | 'dim' | 'isMap'>;

/** What the calls and the command need beside the link. */
interface Asked {
  readonly link: LinkState;
  readonly data: Shown;
  /** Of mean shift, also if it was estimated. */
  readonly bandwidth: number;
}

/** A program for Node that finds the same labels. */
export function nodeProgram(asked: Asked): string {
  const {link} = asked;
  const {name, from, options} = callOf(asked);
  const source = isFile(link) ? 'readPoints' : 'generateDataset';
  return [
    `import {${source}} from '@epsball/datasets';`,
    `import {${name}} from '${from}';`,
    '',
    `const points = ${isFile(link) ? `await ${readCall(asked)}` : `generateDataset(${text(link.data)})`};`,
    `const {labels} = await ${name}(points, {${options.join(', ')}});`,
    'console.log(labels);',
    '',
  ].join('\n');
}

function callOf({link, bandwidth}: Asked): {name: string; from: string; options: string[]} {
  const {method, eps, minPts, minClusterSize, minSamples, selection, algorithm, backend} = link;
  const ends = [...metricWords(link), ...(backend === 'auto' ? [] : [`backend: ${text(backend)}`])];
  if (method === 'hdbscan') {
    const chosen = selection === 'eom' ? [] : [`selection: ${text(selection)}`];
    const sizes = [`minClusterSize: ${minClusterSize}`, `minSamples: ${minSamples}`];
    return {name: 'hdbscan', from: '@epsball/hdbscan', options: [...sizes, ...chosen, ...ends]};
  }
  if (method === 'mean-shift') {
    const options = [`bandwidth: ${bandwidth}`, "kernel: 'flat'", 'binSeeding: true', ...ends];
    return {name: 'meanShift', from: '@epsball/mean-shift', options};
  }
  const variant = algorithm === 'auto' ? [] : [`algorithm: ${text(algorithm)}`];
  return {name: 'dbscan', from: '@epsball/dbscan', options: [`eps: ${eps}`, `minPts: ${minPts}`, ...variant, ...ends]};
}

function metricWords({method, metric}: LinkState): string[] {
  if (method === 'mean-shift' || metric === 'euclidean') return [];
  return [`metric: ${text(metric)}`, ...(metric === 'haversine' ? ["angles: 'degrees'", "epsUnit: 'km'"] : [])];
}

function readCall({link, data}: Asked): string {
  const file = fileOf(link);
  if (data.available.length > 0) return `readPoints(${text(file)}, {columns: [${data.columns.map(text).join(', ')}]})`;
  return `readPoints(${text(file)}${/\.npy$/i.test(file) && data.dim === 1 ? ', {dim: 1}' : ''})`;
}

/** Commands for a shell that find the same labels; undefined for mean shift, for which there is none. */
export function shellCommand(asked: Asked): string | undefined {
  const {link, data} = asked;
  const {method, eps, minPts, minClusterSize, minSamples, selection, algorithm, backend, metric} = link;
  if (method === 'mean-shift') return undefined;
  const file = isFile(link) ? fileOf(link) : 'points.npy';
  const before = isFile(link) ? [] : [`epsball generate ${quote(link.data)} --out points.npy`];
  const isPlaces = metric === 'haversine';
  const columns = data.available.length > 0 ? [`--columns ${quote(columnsOf(data, isPlaces).join(','))}`] : [];
  const metricFlags = metric === 'euclidean' ? [] : [`--metric ${metric}`];
  const ends = [...metricFlags, ...(backend === 'auto' ? [] : [`--backend ${backend}`]), '--out labels.npy'];
  const own =
    method === 'dbscan'
      ? [
          `--eps ${eps}${isPlaces ? 'km' : ''}`,
          `--min-pts ${minPts}`,
          ...(algorithm === 'auto' ? [] : [`--algorithm ${algorithm}`]),
        ]
      : [
          `--min-cluster-size ${minClusterSize}`,
          `--min-samples ${minSamples}`,
          ...(selection === 'eom' ? [] : ['--selection leaf']),
        ];
  const command = [
    `epsball ${method === 'dbscan' ? 'cluster' : 'hdbscan'} ${quote(file)}`,
    ...columns,
    ...own,
    ...ends,
  ];
  return [...before, command.join(' ')].join('\n');
}

/** The latitude comes first with haversine. */
function columnsOf({columns, isMap}: Shown, isPlaces: boolean): readonly string[] {
  return isPlaces && isMap && /lon|lng/i.test(columns[0]) ? columns.toReversed() : columns;
}

function isFile({data}: LinkState): boolean {
  return data.startsWith(FILE_PREFIX);
}

/** The name of the file; readers know GeoJSON by another ending than `.json`. */
function fileOf({data}: LinkState): string {
  return data.slice(FILE_PREFIX.length).replace(/\.json$/i, '.geojson');
}

function text(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

/** A word for a POSIX shell. */
function quote(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
