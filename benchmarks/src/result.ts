import {z} from 'zod';
import type {Timing} from './statistics.ts';
import type {ProfileName} from './suite.ts';

export interface Machine {
  readonly node: string;
  readonly os: string;
  readonly arch: string;
  readonly cpu: string;
  readonly threads: number;
  readonly memoryBytes: number;
}

/** The GPU adapter that the GPU cells of a file ran on. */
export interface Adapter {
  readonly name: string;
  readonly kind: 'hardware' | 'system-software' | 'bundled';
  readonly vendor: string;
  readonly architecture: string;
  /** Driver and version, as the adapter describes itself. */
  readonly description: string;
  readonly subgroupMinSize: number;
  readonly subgroupMaxSize: number;
}

/** What a cell measures: one subject on one workload. A run has one cell for each key. */
export interface CellKey {
  readonly dataset: string;
  readonly n: number;
  readonly dim: number;
  readonly eps: number;
  readonly minPts: number;
  readonly row: string;
  readonly backend: string;
  /** Worker threads; 1 for backends without workers. */
  readonly threads: number;
}

export interface CellMemory {
  /** Peak host memory of the first run, beyond input and output; null where the system cannot tell. */
  readonly hostBytes: number | null;
  readonly hostBytesPerPoint: number | null;
  readonly deviceBytes: number | null;
  readonly deviceBytesPerPoint: number | null;
}

/** What the labels of a cell were compared with before its time was kept. */
export type Verification = 'definition' | 'sequential' | 'reference';

export interface MeasuredCell extends CellKey {
  readonly status: 'measured';
  readonly precision: 'float32' | 'float64';
  /** Content hash of the points. */
  readonly datasetHash: string;
  /** Content hash of labels and core mask. */
  readonly labelsHash: string;
  /**
   * `definition`: equal to the O(n²) definition; `sequential`: equal to the sequential variant;
   * `reference`: this is the sequential variant, too large for the definition.
   */
  readonly verifiedAgainst: readonly Verification[];
  readonly clusterCount: number;
  readonly noiseCount: number;
  readonly coreCount: number;
  /** Host wall time of a whole run, transfers included. */
  readonly wall: Timing;
  /** Device time of all kernels, where the adapter has timestamps. */
  readonly device: Timing | null;
  /** Median host milliseconds by phase. */
  readonly phaseMs: Readonly<Record<string, number>>;
  /** Median device milliseconds by phase, where the adapter has timestamps. */
  readonly devicePhaseMs: Readonly<Record<string, number>> | null;
  readonly counters: Readonly<Record<string, number>>;
  readonly memory: CellMemory;
  /** File of the cluster picture, relative to the result file. */
  readonly picture: string | null;
}

/** The cell ran and gave no usable time. */
export interface FailedCell extends CellKey {
  readonly status: 'failed';
  readonly error: string;
}

/** The profile's own rule kept the cell from running. */
export interface LeftOutCell extends CellKey {
  readonly status: 'leftOut';
  readonly reason: string;
}

export type Cell = MeasuredCell | FailedCell | LeftOutCell;

/** One suite, run once on one machine. */
export interface ResultFile {
  readonly format: 'epsball-benchmark';
  readonly version: 1;
  readonly suite: string;
  readonly profile: ProfileName;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly elapsedMs: number;
  /** `hash` is `unknown` outside a repository. */
  readonly commit: {readonly hash: string; readonly dirty: boolean};
  readonly machine: Machine;
  readonly adapter: Adapter | null;
  /** Why there is no adapter. */
  readonly adapterError: string | null;
  readonly cells: readonly Cell[];
}

const timing = z.object({
  allMs: z.array(z.number().nonnegative()).min(1),
  medianMs: z.number().nonnegative(),
  minMs: z.number().nonnegative(),
  spread: z.number().nonnegative(),
});

const adapter = z.object({
  name: z.string(),
  kind: z.enum(['hardware', 'system-software', 'bundled']),
  vendor: z.string(),
  architecture: z.string(),
  description: z.string(),
  subgroupMinSize: z.number(),
  subgroupMaxSize: z.number(),
});

const cellKey = {
  dataset: z.string().min(1),
  n: z.int().nonnegative(),
  dim: z.int().positive(),
  eps: z.number().positive(),
  minPts: z.int().positive(),
  row: z.string().min(1),
  backend: z.string().min(1),
  // Older files have it in measured cells only; all of theirs ran on one thread.
  threads: z.int().positive().default(1),
};

const measured = z.object({
  status: z.literal('measured'),
  ...cellKey,
  precision: z.enum(['float32', 'float64']),
  datasetHash: z.string().min(1),
  labelsHash: z.string().min(1),
  verifiedAgainst: z.array(z.enum(['definition', 'sequential', 'reference'])).min(1),
  clusterCount: z.int().nonnegative(),
  noiseCount: z.int().nonnegative(),
  coreCount: z.int().nonnegative(),
  wall: timing,
  device: timing.nullable(),
  phaseMs: z.record(z.string(), z.number()),
  devicePhaseMs: z.record(z.string(), z.number()).nullable(),
  counters: z.record(z.string(), z.number()),
  memory: z.object({
    hostBytes: z.number().nullable(),
    hostBytesPerPoint: z.number().nullable(),
    deviceBytes: z.number().nullable(),
    deviceBytesPerPoint: z.number().nullable(),
  }),
  picture: z.string().nullable(),
});

const cell = z.discriminatedUnion('status', [
  measured,
  z.object({status: z.literal('failed'), ...cellKey, error: z.string()}),
  z.object({status: z.literal('leftOut'), ...cellKey, reason: z.string()}),
]);

/** Checks one cell as a child process hands it over. */
export const measuredCellSchema: z.ZodType<MeasuredCell> = measured;

/** Checks an adapter as a child process hands it over. */
export const adapterSchema: z.ZodType<Adapter> = adapter;

/** Checks a result file; baselines and reports are read through it. */
export const resultFileSchema: z.ZodType<ResultFile> = z.object({
  format: z.literal('epsball-benchmark'),
  version: z.literal(1),
  suite: z.string().min(1),
  profile: z.enum(['quick', 'full']),
  startedAt: z.iso.datetime(),
  elapsedMs: z.number().nonnegative(),
  commit: z.object({hash: z.string().min(1), dirty: z.boolean()}),
  machine: z.object({
    node: z.string(),
    os: z.string(),
    arch: z.string(),
    cpu: z.string(),
    threads: z.int().positive(),
    memoryBytes: z.number().positive(),
  }),
  adapter: adapter.nullable(),
  adapterError: z.string().nullable(),
  cells: z.array(cell),
});
