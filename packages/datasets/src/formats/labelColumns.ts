/** A column beside the labels: numbers, or integers of 64 bits. */
export type LabelColumn = Float64Array | BigInt64Array;

/** What a file of labels holds. */
export interface LabelColumns {
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array | undefined;
  readonly columns: Readonly<Record<string, LabelColumn>>;
}
