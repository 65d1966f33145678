import type {ProfileName, SuiteFacts} from '../suiteFacts.ts';
import type {OperationId} from './operations.ts';

/** Our kernels, plain JavaScript, or the yardstick: a device copy of as many bytes. */
export type Implementation = 'gpu' | 'javascript' | 'copy';

/** One operation on one type of element. The app's registry holds the code for each. */
export interface PrimitiveOperation {
  /** `scan-exclusive-u32` */
  readonly id: string;
  /** Operations that share a table and a chart. */
  readonly family: string;
  /** Without the element. */
  readonly title: string;
  /** `u32`, `i32`, `f32`, `u64`, or key and value: `u32, u32`. */
  readonly element: string;
  /**
   * Bytes an element that any implementation has to move: each input read once, each output written once. What an
   * algorithm moves beyond these (a sort's further passes) is its own cost and lowers its GB/s.
   */
  readonly bytesPerElement: number;
  /** The same in words: `key and value read, key and value written`. */
  readonly traffic: string;
}

/** How much of a suite of primitives is run, and when a count is left out. */
export interface PrimitiveProfile {
  /** Elements, ascending. */
  readonly counts: readonly number[];
  /** One more count, for a few operations: its inputs take seconds to make. Default: none. */
  readonly largest?: {readonly count: number; readonly operations: readonly OperationId[]} | undefined;
  /** Counted repeats of a cell; on the device each is a batch of encodes. */
  readonly repeats: number;
  /** Repeats that are not counted go on for this long, while code is compiled and clocks rise. Seconds. */
  readonly settleSeconds: number;
  /** A cell stops repeating, after at least one counted repeat, when it has taken this long. Seconds. */
  readonly cellSeconds: number;
  /** A count is left out where a single run is expected to take longer, by the count before. Seconds. */
  readonly runSeconds: number;
  /** When the suite has taken this long, the rest of it is left out. Seconds. */
  readonly suiteSeconds: number;
  /** Software GPU adapters show that the code is right, not how fast it is: they get no more elements than this. */
  readonly softwareGpuMaxCount: number;
}

/** A time of another library, on its own machine. It is shown beside our time and never divided by it. */
export interface PrimitiveFigure {
  /** Id of the operation. */
  readonly operation: string;
  readonly count: number;
  readonly library: string;
  /** Device milliseconds, or what happened instead. */
  readonly outcome: number | 'hangs';
  readonly machine: string;
  readonly where: string;
}

/** Building blocks of GPU algorithms: operations × counts × implementations. */
export interface PrimitiveSuite extends SuiteFacts {
  readonly kind: 'primitives';
  readonly operations: readonly PrimitiveOperation[];
  readonly profiles: Readonly<Record<ProfileName, PrimitiveProfile>>;
  readonly published: readonly PrimitiveFigure[];
}
