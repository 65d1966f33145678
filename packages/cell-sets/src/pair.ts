/** A point of each side. */
export interface CorePair {
  readonly a: number;
  readonly b: number;
}
