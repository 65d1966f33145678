/** Region queries for one point set: the N_eps of Ester et al. 1996, by position. */
export interface RegionQuery {
  /** Distance tests so far. */
  readonly neighborTests: number;
  /**
   * The closed eps-ball around a position, itself included.
   *
   * @param position  0 … n − 1
   * @param found     receives the positions of the neighbours; at least n values
   * @returns         number of neighbours
   */
  neighbors(position: number, found: Int32Array): number;
}
