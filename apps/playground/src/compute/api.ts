import type {MetricOptions, RunStats} from '@epsball/clustering';
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

export interface DbscanRunRequest {
  readonly method: 'dbscan';
  readonly algorithm: string;
  readonly backend: Backend | 'auto';
  readonly eps: number;
  readonly minPts: number;
  readonly metric: MetricOptions;
}

export interface HdbscanRunRequest {
  readonly method: 'hdbscan';
  readonly backend: Backend | 'auto';
  readonly minSamples: number;
  readonly minClusterSize: number;
  readonly selection: 'eom' | 'leaf';
  readonly metric: MetricOptions;
}

export interface MeanShiftRunRequest {
  readonly method: 'mean-shift';
  readonly backend: Backend | 'auto';
  /** 0: estimated. */
  readonly bandwidth: number;
}

export type RunRequest = DbscanRunRequest | HdbscanRunRequest | MeanShiftRunRequest;

/** The condensed tree of HDBSCAN*, by cluster; distances in the unit of the metric. */
export interface ClusterTree {
  readonly parent: Int32Array;
  readonly birth: Float64Array;
  readonly death: Float64Array;
  readonly size: Float64Array;
  /** The label of a selected cluster, −1 of the others. */
  readonly label: Int32Array;
  /** The cluster that each point leaves last. */
  readonly clusterOf: Int32Array;
}

/** A result of any method, without the arrays that the page does not use. */
export interface RunOutcome extends Pick<DbscanOutcome, 'algorithm' | 'backend' | 'adapter' | 'fallback'> {
  readonly labels: Int32Array;
  readonly clusterCount: number;
  readonly noiseCount: number;
  readonly stats: RunStats<string>;
  /** Of DBSCAN. */
  readonly coreCount?: number;
  /** Of HDBSCAN*. */
  readonly tree?: ClusterTree;
  /** Of HDBSCAN*: whether the hierarchy was there before. */
  readonly isReselected?: boolean;
  readonly warnings?: readonly string[];
  /** Of mean shift. */
  readonly bandwidth?: number;
}

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
