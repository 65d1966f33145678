import {z} from 'zod';
import {timingSchema} from './statistics.ts';

/** Options by name, as the catalogue's rows take them. */
const optionsSchema = z.record(z.string().min(1), z.union([z.string(), z.number()]));

/** What a cell measures: a code with its options on one set of points. A run has one cell for each key. */
const key = {
  /** A specification that `epsball generate` understands, `cities`, `npy:NAME`, or the name of a primitive. */
  dataset: z.string().min(1),
  /** Points, or elements. */
  n: z.int().nonnegative(),
  dim: z.int().positive(),
  /** `{eps, minPts}` of DBSCAN. */
  params: z.record(z.string().min(1), z.number()),
  row: z.string().min(1),
  backend: z.string().min(1),
  /** Worker threads; 1 for backends without workers. */
  threads: z.int().positive(),
  /** Those that were not left to their defaults. */
  options: optionsSchema,
};
const keySchema = z.object(key);
export type CellKey = z.infer<typeof keySchema>;

/** One code on one backend. */
export interface Subject {
  readonly row: string;
  readonly backend: string;
  /** Default: 1. */
  readonly threads?: number | undefined;
  readonly options?: z.infer<typeof optionsSchema> | undefined;
}

/** The key of a subject on a workload. */
export function keyOf({
  workload: {dataset, n, dim, params},
  subject: {row, backend, threads = 1, options = {}},
}: {
  readonly workload: Pick<CellKey, 'dataset' | 'n' | 'dim'> & {readonly params: Readonly<CellKey['params']>};
  readonly subject: Subject;
}): CellKey {
  return {dataset, n, dim, params: {...params}, row, backend, threads, options: {...options}};
}

/** No folder of any system, no control character, and neither `.` nor `..`. */
// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const PLAIN_FILE_NAME = /^(?!\.{1,2}$)[^/\\:\u0000-\u001f]+$/;

const numbers = z.record(z.string(), z.number());

/** Checks a measured cell as a child process hands it over. */
export const measuredCellSchema = z.object({
  status: z.literal('measured'),
  ...key,
  /** Host time of a whole run, transfers included; null where only kernels are timed. */
  wall: timingSchema.nullable(),
  /** Time of all kernels by the device's clock. */
  device: timingSchema.nullable(),
  /** Median host milliseconds by phase. */
  phaseMs: numbers,
  devicePhaseMs: numbers.nullable(),
  counters: numbers,
  /** What the result was compared with before its time was kept. */
  verified: z.array(z.string().min(1)).min(1),
  /** Content hashes of points and result. */
  points: z.string().nullable(),
  labels: z.string().nullable(),
  clusters: z.int().nonnegative().nullable(),
  noise: z.int().nonnegative().nullable(),
  /** Peak of the first run beyond input and output, and of the device. Bytes. */
  hostBytes: z.number().nullable(),
  deviceBytes: z.number().nullable(),
  /** Cluster picture beside the result file. */
  picture: z.string().regex(PLAIN_FILE_NAME, 'picture: expected a plain file name, without a folder').nullable(),
});
export type MeasuredCell = z.infer<typeof measuredCellSchema>;

export const cellSchema = z.discriminatedUnion('status', [
  measuredCellSchema,
  z.object({status: z.literal('failed'), ...key, reason: z.string()}),
  z.object({status: z.literal('leftOut'), ...key, reason: z.string()}),
  /** It would have taken too long: the time comes from a fit, which `reason` states. */
  z.object({status: z.literal('estimated'), ...key, reason: z.string(), ms: z.number().nonnegative()}),
]);
export type Cell = z.infer<typeof cellSchema>;

/** Milliseconds of a cell: of a whole run, or of its kernels if only they are timed. */
export function timeOf({wall, device}: MeasuredCell): number {
  return (wall ?? device)?.medianMs ?? Number.NaN;
}

/** Two thread counts are two subjects, and so are two choices of options. */
export function isSameSubject(a: Subject, b: Subject): boolean {
  return nameSubject(a) === nameSubject(b);
}

/** The same points and parameters. */
export function isSameWorkload(a: Workload, b: Workload): boolean {
  return a.n === b.n && a.dataset === b.dataset && workloadKey(a) === workloadKey(b);
}
type Workload = Pick<CellKey, 'dataset' | 'n' | 'params'>;

function workloadKey({dataset, n, params}: Workload): string {
  return `${dataset} ${n} ${JSON.stringify(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}

/** The key of a cell as text. */
export function keyText(cell: Subject & Workload): string {
  return `${nameSubject(cell)} on ${workloadKey(cell)}`;
}

/** `pds/workers ×4`, `sequential (index none)`: the order of options does not matter. */
export function nameSubject({row, backend, threads = 1, options = {}}: Subject): string {
  const words = Object.entries(options)
    .map(([name, value]) => `${name} ${value}`)
    .sort();
  const name = row === backend ? row : `${row}/${backend}`;
  return name + (threads === 1 ? '' : ` ×${threads}`) + (words.length === 0 ? '' : ` (${words.join(', ')})`);
}

/** `milanesi` of `milanesi:n=20000,seed=1`, and `spots2d` of `npy:spots2d-1000000`. */
export function nameDataset(dataset: string): string {
  return dataset.replace(/^npy:(\w+?)-\d+$/, '$1').split(':', 1)[0];
}

/** `milanesi, 20,000 × 2, eps 0.03, minPts 8`, without raw floats. */
export function nameWorkload({dataset, n, dim, params}: Pick<CellKey, 'dataset' | 'n' | 'dim' | 'params'>): string {
  const words = Object.entries(params).map(([name, value]) => `, ${name} ${Number(value.toPrecision(4))}`);
  return `${nameDataset(dataset)}, ${n.toLocaleString('en-US')}${dim > 1 ? ` × ${dim}` : ''}${words.join('')}`;
}
