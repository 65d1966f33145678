/** One of several tasks that run in a row, as one wave. */
export interface Step<Name extends string> {
  /** Name of this part of a run, for errors. */
  readonly phase: string;
  /** Name of the exported task. */
  readonly name: Name;
  /**
   * Bounds as in a wave, of at least one chunk. Or the number of chunks, integer ≥ 1: the step is closed until
   * `open` gives the bounds.
   */
  readonly bounds: readonly number[] | number;
}
