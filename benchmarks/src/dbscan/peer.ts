/** A time of another program on a workload, recorded outside this suite. */
export interface PeerFigure {
  readonly program: string;
  /** `gpu` or `cpu`: what its times stand beside. */
  readonly runsOn: 'gpu' | 'cpu';
  readonly machine: string;
  /** When, and on which points. */
  readonly measured: string;
  /** Data set of the workload. */
  readonly dataset: string;
  /** Milliseconds of its kernels; null where it reports none. */
  readonly deviceMs: number | null;
  /** Milliseconds with transfers, or on a processor; null where only kernels were timed. */
  readonly wallMs: number | null;
}
