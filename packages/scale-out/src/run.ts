import type {DbscanParams} from '@epsball/clustering';
import type {Tiling} from './tiling/tiling.ts';

/** The layout of the files of a run. Workers refuse runs of another one. */
export const FORMAT = 2;

/** One input file. */
export interface InputFile {
  /** A path that all workers see, or `s3://bucket/key`. */
  readonly path: string;
  readonly kind: 'parquet' | 'npy' | 'csv';
  readonly bytes: number;
  /**
   * SHA-256 of the size, the first and the last 64 KiB, and the entity tag of an object of S3: a file that changes
   * during the run is refused.
   */
  readonly hash: string;
}

/** How a tile is clustered: passed to `dbscan()`. */
export interface TileBackend {
  readonly backend: 'auto' | 'gpu' | 'workers' | 'sequential';
  readonly algorithm: string;
  readonly threads?: number | undefined;
}

/** Where labels go: by the rows of the input, or beside the tile that owns the point. */
export type LabelOrder = 'input' | 'tile';

/** `run.json`: what was asked. Written once, never changed. */
export interface RunRequest {
  readonly format: number;
  readonly name: string;
  readonly params: DbscanParams;
  readonly inputs: readonly InputFile[];
  readonly columns?: readonly string[] | undefined;
  readonly delimiter?: string | undefined;
  readonly decimal?: '.' | ',' | undefined;
  readonly precision: 'source' | 'float32' | 'float64';
  readonly dim?: number | undefined;
  /** Bytes for the data of one task. */
  readonly memoryBytes: number;
  readonly tile: TileBackend;
  /** Default: `input`. */
  readonly order?: LabelOrder | undefined;
  /** Least number of tiles: at least one for each worker. */
  readonly minTiles: number;
  /** Tests force small pieces with it. */
  readonly forced?: ForcedSizes | undefined;
}

/** Sizes that tests and measurements choose. */
export interface ForcedSizes {
  readonly chunkRows?: number | undefined;
  readonly rangeRows?: number | undefined;
  readonly capacity?: number | undefined;
  readonly tiling?: Tiling | undefined;
}

/** Consecutive rows of one input file. */
export interface Chunk {
  readonly input: number;
  /** Of CSV: the number of the imported piece. */
  readonly piece?: number | undefined;
  /** Row in the file, or in the piece. */
  readonly start: number;
  readonly rowCount: number;
  /** Global row of the first one. */
  readonly firstRow: number;
}

/** What the task `plan` decides. */
export interface RunPlan {
  readonly dim: number;
  readonly precision: 'float32' | 'float64';
  readonly columns: readonly string[];
  readonly rowCount: number;
  readonly chunks: readonly Chunk[];
  /** Rows of a gathering range. */
  readonly rangeRows: number;
  /** Maximum number of points that a tile reads. */
  readonly capacity: number;
  readonly tiling: Tiling;
}

export const TASK_KINDS = ['import', 'plan', 'route', 'balance', 'tile', 'join', 'merge', 'gather', 'label'] as const;

/** A step of a run. Running it twice, also at the same time, does no harm. */
export interface Task {
  readonly kind: (typeof TASK_KINDS)[number];
  readonly index: number;
  /** Of `route` and `balance`: how often heavy tiles were divided before. */
  readonly round?: number | undefined;
}

/** Names the marker of a task, and its job. */
export function taskName({kind, index, round}: Task): string {
  return round === undefined ? `${kind}-${index}` : `${kind}-${round}-${index}`;
}

/** A run cannot be done: the message says what, and what to do. */
export class ScaleOutError extends Error {
  readonly code:
    | 'INPUT_CHANGED'
    | 'POISON_TILE'
    | 'OTHER_VERSION'
    | 'NO_RUN'
    | 'DAMAGED_RUN'
    | 'STORE_UNRELIABLE'
    | 'RUN_FAILED'
    | 'REDIS_REFUSED'
    | 'GPUS_NOT_APART';

  constructor(code: ScaleOutError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ScaleOutError';
    this.code = code;
  }
}
