export interface CorePair {
  readonly a: number;
  readonly b: number;
}
