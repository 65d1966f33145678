import {copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {seededRandom} from '@epsball/conformance';
import {tableFromArrays, tableToIPC} from 'apache-arrow';
import {File as Hdf5File, ready} from 'h5wasm/node';
import {parquetWriteFile} from 'hyparquet-writer';
import {readContainer} from '../src/formats/containers.ts';
import {DatasetFormatError, readLabels, readPoints, writeLabels, writePoints} from '../src/index.ts';
import {fixture} from './temporaryFolder.ts';

/** A damaged file may take so much CPU time without progress. */
const STALL_MS = 2000;
/** Bytes by which the process may grow while it reads damaged files of a few KB. */
export const GROWTH_MAX = 1.5e9;

/** A format, with the whole files that are damaged, and its reader. */
interface Format {
  readonly write: (path: (name: string) => string) => Promise<void>;
  readonly read: (path: string) => Promise<unknown>;
}

const POINTS = {coords: Float64Array.from({length: 120}, (_, k) => Math.sin(k) * 100), dim: 2};
const NARROW = {coords: Float32Array.from(POINTS.coords), dim: 2};

const TEXT = [
  'x,y\n',
  ...Array.from({length: 60}, (_, i) => `${POINTS.coords[2 * i]},${POINTS.coords[2 * i + 1]}\n`),
].join('');

export const FORMATS: Readonly<Record<string, Format>> = {
  npy: {
    write: async (path) => {
      await writePoints(path('a.npy'), POINTS);
      await writePoints(path('b.npy'), NARROW);
    },
    read: (path) => readPoints(path),
  },
  labels: {
    write: (path) => writeLabels(path('a.npy'), Int32Array.from(POINTS.coords)),
    read: readLabels,
  },
  csv: {
    write: async (path) => {
      writeFileSync(path('a.csv'), TEXT);
      writeFileSync(path('b.csv'), TEXT.replaceAll(',', ' '));
      writeFileSync(path('c.csv'), `"x, ""m""";"y\n"\n${TEXT.slice(4).replaceAll(',', ';')}`);
    },
    read: (path) => readPoints(path),
  },
  raw: {
    write: (path) => writePoints(path('a.f64'), POINTS),
    read: (path) => readPoints(path, {dim: 2}),
  },
  geojson: {
    write: async (path) => {
      await writePoints(path('a.geojson'), POINTS);
      const feature = {type: 'Feature', id: 1, geometry: {type: 'Point', coordinates: [1, 2, 3]}, properties: {w: 4}};
      writeFileSync(path('b.geojson'), JSON.stringify({type: 'FeatureCollection', features: [feature, feature]}));
    },
    read: (path) => readPoints(path),
  },
  hdf5: {
    write: async (path) => {
      await writePoints(path('a.h5'), POINTS);
      await ready;
      const file = new Hdf5File(path('b.h5'), 'w');
      const shape = {shape: [60, 2], dtype: '<f', chunks: [16, 2], compression: 'gzip'} as const;
      file
        .create_group('g')
        .create_dataset({name: 'p', data: NARROW.coords, ...shape, shape: [60, 2], chunks: [16, 2]});
      file.close();
    },
    read: (path) => readContainer('hdf5', path, {precision: 'source'}, {stallMs: STALL_MS}),
  },
  parquet: {
    write: async (path) => {
      const columnData = [
        {name: 'x', data: POINTS.coords.subarray(0, 60)},
        {name: 'y', data: Int32Array.from({length: 60}, (_, i) => i % 5)},
      ];
      parquetWriteFile({filename: path('a.parquet'), columnData, rowGroupSize: 25, codec: 'SNAPPY'});
      parquetWriteFile({filename: path('b.parquet'), columnData, codec: 'UNCOMPRESSED'});
    },
    read: (path) => readContainer('parquet', path, {precision: 'source'}, {stallMs: STALL_MS}),
  },
  arrow: {
    write: async (path) => {
      const x = Float64Array.from(POINTS.coords.subarray(0, 60));
      const table = tableFromArrays({x, y: Int32Array.from({length: 60}, (_, i) => i % 5)});
      writeFileSync(path('a.arrow'), tableToIPC(table, 'file'));
      writeFileSync(path('b.arrow'), tableToIPC(table, 'stream'));
      copyFileSync(fixture('lz4.feather'), path('c.feather'));
    },
    read: (path) => readContainer('arrow', path, {precision: 'source'}, {stallMs: STALL_MS}),
  },
};

/** What became of the damaged files of a format. */
export interface Outcome {
  read: number;
  refused: number;
  /** Neither a result nor one clear error. */
  readonly faults: string[];
  /** Bytes by which the process grew, at most. */
  growth: number;
  /** Descriptors that stay open. */
  descriptors: number;
}

/** Damages files of a format, and reads each. */
export async function readMutants(name: string, count: number, seed: number): Promise<Outcome> {
  const {write, read} = FORMATS[name];
  const folder = mkdtempSync(join(tmpdir(), 'epsball-mutants-'));
  const outcome: Outcome = {read: 0, refused: 0, faults: [], growth: 0, descriptors: 0};
  try {
    await write((file) => join(folder, file));
    const wholes = readdirSync(folder).map((file) => ({file, bytes: readFileSync(join(folder, file))}));
    for (const {file} of wholes) await read(join(folder, file));
    const [rss, open] = [process.memoryUsage().rss, readdirSync('/proc/self/fd').length];
    for (let run = 0; run < count; run++) {
      const {file, bytes} = wholes[run % wholes.length];
      const path = join(folder, `${run}-${file}`);
      writeFileSync(path, damaged(bytes, seededRandom(seed + run)));
      const failure: unknown = await read(path).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) outcome.read++;
      else if (isClear(failure, path)) outcome.refused++;
      else
        outcome.faults.push(`${name}, seed ${seed + run}: ${failure instanceof Error ? failure.message : 'no error'}`);
      outcome.growth = Math.max(outcome.growth, process.memoryUsage().rss - rss);
      rmSync(path);
    }
    outcome.descriptors = readdirSync('/proc/self/fd').length - open;
    return outcome;
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

function isClear(error: unknown, path: string): boolean {
  if (!(error instanceof DatasetFormatError)) return false;
  return error.message.startsWith(path) && !error.message.includes('\n') && error.message.length < 1000;
}

/** A file with one to three faults: bytes changed, words set, a part cut, zeroed, doubled, moved or inserted. */
function damaged(whole: Uint8Array, random: () => number): Uint8Array {
  let bytes = Buffer.from(whole);
  const below = (limit: number): number => Math.floor(random() * Math.max(1, limit));
  for (let faults = 1 + below(3); faults > 0; faults--) {
    // Half of the faults lie in the first or last part, where most formats keep what they say about the rest.
    const edge = Math.min(bytes.length, 600);
    const at = [below(bytes.length), below(edge), bytes.length - 1 - below(edge), below(bytes.length)][below(4)];
    const end = Math.min(bytes.length, at + 1 + below(64));
    const part = bytes.subarray(at, end);
    const word = [0, 1, 0x7fff_ffff, 0xffff_ffff, 0x8000_0000, below(2 ** 32)][below(6)];
    const kinds: readonly (() => Buffer | void)[] = [
      () => void (bytes[at] ^= 1 << below(8)),
      () => void (bytes[at] = below(256)),
      () => void (at + 4 <= bytes.length && bytes.writeUInt32LE(word, at)),
      () => Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]),
      () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]),
      () => void part.fill(0),
      () => void part.fill(0xff),
      () => (random() < 0.3 ? bytes.subarray(0, at) : undefined),
      () => Buffer.concat([bytes.subarray(0, at), Buffer.from(String(word)), bytes.subarray(at)]),
    ];
    bytes = Buffer.from(kinds[below(kinds.length)]() ?? bytes);
  }
  return bytes;
}
