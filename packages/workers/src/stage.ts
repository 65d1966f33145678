/** One of several tasks that follow each other. */
export interface Stage<Name extends string> {
  /** Where the run is, for errors. */
  readonly phase: string;
  /** Export of a task. */
  readonly name: Name;
  /** As in a wave, of one chunk at least; or how many chunks there will be, integer ≥ 1: the stage is closed, and `open` gives their bounds. */
  readonly bounds: readonly number[] | number;
}
