import {DatasetFormatError} from './errors.ts';

/** Extensions of point files that are read and written. `.bin` holds float32. */
export const POINT_EXTENSIONS = [
  '.npy',
  '.csv',
  '.tsv',
  '.txt',
  '.f32',
  '.f64',
  '.bin',
  '.h5',
  '.hdf5',
  '.parquet',
  '.geojson',
] as const;

type PointExtension = (typeof POINT_EXTENSIONS)[number];

/** Extensions of point files that are only read. */
const ONLY_READ = [
  '.csv.gz',
  '.tsv.gz',
  '.txt.gz',
  '.geojsonl',
  '.geojsons',
  '.geojsonseq',
  '.npz',
  '.arrow',
  '.feather',
  '.dat',
  '.xyz',
] as const;

/** Extensions of all files that `readPoints` reads. */
export const READ_EXTENSIONS: readonly (PointExtension | (typeof ONLY_READ)[number])[] = [
  ...POINT_EXTENSIONS,
  ...ONLY_READ,
];

export const LABEL_EXTENSIONS = ['.npy', '.csv', '.tsv', '.json', '.parquet', '.arrow'] as const;

/** The extension of a path, in lower case, such as `.csv` or `.csv.gz`; empty if it has none. */
export function extensionIn(path: string): string {
  return (/(?<=[^/\\])(?:\.[^./\\]*(?=\.gz$)\.gz|\.[^./\\]*)$/i.exec(path)?.[0] ?? '').toLowerCase();
}

/** The extension of a path, in lower case. Standard output, which has no name, takes text. */
export function extensionOf<Extension extends string>(path: string, known: readonly Extension[]): Extension {
  const extension = path === '/dev/stdout' ? '.csv' : extensionIn(path);
  const found = known.find((candidate) => candidate === extension);
  if (found === undefined) {
    const what = extension === '' ? 'no extension' : `the unknown extension ${extension}`;
    throw new DatasetFormatError(path, `has ${what}; expected one of ${known.join(' ')}`);
  }
  return found;
}
