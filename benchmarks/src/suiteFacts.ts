/** `quick` ends within minutes on two cores without a GPU; `full` is the whole table of the source document. */
export type ProfileName = 'quick' | 'full';

/** The facts that every suite states. */
export interface SuiteFacts {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  /** A sentence without its full stop: which table or figure of the source it reproduces, or what it is for. */
  readonly reproduces: string;
  /** Sentences that a reader of the report needs. */
  readonly notes: readonly string[];
  /** Credit lines that must stand wherever the data is shown. */
  readonly credits: readonly string[];
}
