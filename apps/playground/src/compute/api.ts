import type {MetricOptions} from '@epsball/clustering';
import type {Backend, DbscanOutcome} from '@epsball/dbscan';
import type {Box} from '../draw/camera.ts';

/** Points that the compute thread holds, as the page shows them. */
export interface LoadedData {
  readonly n: number;
  readonly dim: number;
  readonly precision: 'float32' | 'float64';
  /** Names of the axes; empty if the file has none. */
  readonly columns: readonly string[];
  /** All columns of numbers of the file. */
  readonly available: readonly string[];
  /** Whether the points are places on the earth, drawn in Mercator's projection. */
  readonly isMap: boolean;
  /** 2n coordinates of the first two axes, relative to `origin`; the second is 0 in one dimension. */
  readonly coords: Float32Array;
  readonly origin: readonly [number, number];
  readonly box: Box;
}

export interface RunRequest {
  readonly algorithm: string;
  readonly backend: Backend | 'auto';
  readonly eps: number;
  readonly minPts: number;
  readonly metric: MetricOptions;
}

/** A result without the array that the page does not use. */
export type RunOutcome = Omit<DbscanOutcome, 'coreMask'> & {
  readonly noiseCount: number;
  readonly coreCount: number;
};

export interface KDistances {
  /** From each sampled point to its k-th nearest, itself included; ascending, in the unit of the metric. */
  readonly distances: Float64Array;
  readonly k: number;
}

export interface Environment {
  /** Description of the WebGPU adapter, or why there is none. */
  readonly gpu: {readonly isAvailable: boolean; readonly isSoftware: boolean; readonly text: string};
  /** Whether the page may share memory between threads. */
  readonly hasSharedMemory: boolean;
  readonly threads: number;
}
