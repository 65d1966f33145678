/** What a file of labels holds. */
export interface LabelColumns {
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array | undefined;
  readonly columns: Readonly<Record<string, Float64Array>>;
}
