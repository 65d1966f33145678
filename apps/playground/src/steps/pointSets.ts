/** A few hundred points for the animations. */
export interface SmallSet {
  readonly id: string;
  readonly title: string;
  /** Text of the data set for `generateDataset`. */
  readonly spec: string;
  readonly eps: number;
  readonly minPts: number;
  readonly bandwidth: number;
}

export const smallSets: readonly SmallSet[] = [
  {id: 'moons', title: 'Two moons', spec: 'moons:n=240,seed=3', eps: 0.27, minPts: 5, bandwidth: 0.5},
  {id: 'blobs', title: 'Three blobs', spec: 'varied:n=280,seed=5', eps: 0.22, minPts: 6, bandwidth: 0.55},
  {id: 'circles', title: 'Two circles', spec: 'circles:n=260,seed=4', eps: 0.27, minPts: 4, bandwidth: 0.45},
  {id: 'noise', title: 'Many shapes and noise', spec: 'milanesi:n=420,seed=2', eps: 0.4, minPts: 5, bandwidth: 0.9},
];
