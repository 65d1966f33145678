import type {PointSet} from '@epsball/clustering';
import type {Precision} from './coords.ts';
import {comb, filament, halfCrowded, oneCell, tenPlaces, twoCells} from './generators/adversaries.ts';
import {gaussians, gaussians3d, spots, spotsEps} from './generators/gaussians.ts';
import {halos, halosEps} from './generators/halos.ts';
import {milanesi} from './generators/milanesi.ts';
import {duplicates, lattice, line, spiral, uniform} from './generators/regular.ts';
import {aniso, blobs, circles, moons, noStructure, varied} from './generators/scikitLearn.ts';
import {tweets} from './generators/tweets.ts';

/** Options of `DatasetSpec.generate`, all of them required. */
export interface GenerateOptions {
  readonly n: number;
  readonly dim: number;
  readonly seed: number;
  readonly precision: Precision;
}

/** A named generator with its range and suggested parameters. */
export interface DatasetSpec {
  readonly id: string;
  readonly title: string;
  readonly dims: {readonly min: number; readonly max: number; readonly default: number};
  readonly defaultN: number;
  /** Parameters for `defaultN` points of the default dimension; `bandwidth` for data of mean shift. */
  readonly suggested: {readonly eps: number; readonly minPts: number; readonly bandwidth?: number};
  /** The publication that the data comes from or imitates. */
  readonly source: string;
  /**
   * @returns  exactly `n` points; the same options give the same points
   * @throws InvalidParameterError  if an option is out of range
   */
  generate(options: GenerateOptions): PointSet;
}

/** A generator that has no option for its dimension. */
function ofOneDimension(generate: (options: Omit<GenerateOptions, 'dim'>) => PointSet): DatasetSpec['generate'] {
  return ({n, seed, precision}) => generate({n, seed, precision});
}

const PLANE = {min: 2, max: 2, default: 2} as const;
const SCIKIT_LEARN = 'scikit-learn, examples/cluster/plot_cluster_comparison.py (standardised)';
const OURS = 'epsball';

/** All generators. Those of scikit-learn suggest the eps of its page and `min_samples` at its default of 5. */
export const datasets: readonly DatasetSpec[] = [
  {
    id: 'milanesi',
    title: 'Ten clusters of many shapes on uniform noise',
    dims: PLANE,
    defaultN: 1_000_000,
    suggested: {eps: 0.03, minPts: 8},
    source: 'L. Milanesi, GPU-DBSCAN, 2025–2026, Figure 1',
    generate: ofOneDimension(milanesi),
  },
  {
    id: 'circles',
    title: 'Two concentric circles',
    dims: PLANE,
    defaultN: 1500,
    suggested: {eps: 0.3, minPts: 5},
    source: SCIKIT_LEARN,
    generate: ofOneDimension(circles),
  },
  {
    id: 'moons',
    title: 'Two interleaved half circles',
    dims: PLANE,
    defaultN: 1500,
    suggested: {eps: 0.3, minPts: 5},
    source: SCIKIT_LEARN,
    generate: ofOneDimension(moons),
  },
  {
    id: 'varied',
    title: 'Three blobs of different spread',
    dims: PLANE,
    defaultN: 1500,
    suggested: {eps: 0.18, minPts: 5},
    source: SCIKIT_LEARN,
    generate: ofOneDimension(varied),
  },
  {
    id: 'aniso',
    title: 'Three stretched blobs',
    dims: PLANE,
    defaultN: 1500,
    suggested: {eps: 0.15, minPts: 5},
    source: SCIKIT_LEARN,
    generate: ofOneDimension(aniso),
  },
  {
    id: 'blobs',
    title: 'Three round blobs',
    dims: PLANE,
    defaultN: 1500,
    suggested: {eps: 0.3, minPts: 5},
    source: SCIKIT_LEARN,
    generate: ofOneDimension(blobs),
  },
  {
    id: 'no-structure',
    title: 'Uniform square, nothing to find',
    dims: PLANE,
    defaultN: 1500,
    suggested: {eps: 0.3, minPts: 5},
    source: SCIKIT_LEARN,
    generate: ofOneDimension(noStructure),
  },
  {
    id: 'tweets',
    title: 'Geo-tagged messages: skewed cities, roads, duplicates',
    dims: PLANE,
    defaultN: 200_000,
    suggested: {eps: 0.01, minPts: 40},
    source: 'imitates the Twitter set of HPDBSCAN (Götz, Bodenstein, Riedel 2015)',
    generate: ofOneDimension(tweets),
  },
  {
    id: 'gaussians',
    title: '20 Gaussian clusters in the unit cube',
    dims: {min: 1, max: 64, default: 8},
    defaultN: 260_000,
    suggested: {eps: 0.05, minPts: 4},
    source: 'Böhm et al. 2009 (CUDA-DClust), Section 7',
    generate: gaussians,
  },
  {
    id: 'dense-gaussians',
    title: '20 narrow Gaussian clusters in the unit cube, for large minPts',
    dims: {min: 1, max: 64, default: 8},
    defaultN: 260_000,
    suggested: {eps: 0.05, minPts: 512},
    source: 'Böhm et al. 2009 (CUDA-DClust), Section 7.3',
    generate: (options) => gaussians({...options, isDense: true}),
  },
  {
    id: 'gaussians3d',
    title: 'Five 3-D Gaussians for mean shift',
    dims: {min: 3, max: 3, default: 3},
    defaultN: 10_000,
    suggested: {eps: 0.5, minPts: 8, bandwidth: 2},
    source: 'L. Agnolucci, Mean Shift clustering algorithm, 2020',
    generate: ofOneDimension(gaussians3d),
  },
  {
    id: 'spots',
    title: '100 Gaussian spots and one tenth noise in the unit box',
    dims: {min: 1, max: 4, default: 2},
    defaultN: 1_000_000,
    suggested: {eps: spotsEps(1_000_000, 2), minPts: 10},
    source: OURS,
    generate: spots,
  },
  {
    id: 'halos',
    title: 'Halos of many sizes in the unit cube, for friends-of-friends',
    dims: {min: 3, max: 3, default: 3},
    defaultN: 1_000_000,
    suggested: {eps: halosEps(1_000_000), minPts: 2},
    source: 'imitates a cosmological simulation; Davis et al. 1985 (friends-of-friends)',
    generate: ofOneDimension(halos),
  },
  {
    id: 'lattice',
    title: 'Unit lattice: every neighbour pair on the boundary',
    dims: {min: 1, max: 8, default: 2},
    defaultN: 4096,
    suggested: {eps: 1, minPts: 5},
    source: OURS,
    generate: latticePrefix,
  },
  {
    id: 'duplicates',
    title: 'Points on 100 places',
    dims: {min: 1, max: 64, default: 2},
    defaultN: 10_000,
    suggested: {eps: 0.01, minPts: 5},
    source: OURS,
    generate: duplicates,
  },
  {
    id: 'line',
    title: 'Unit steps along the first axis',
    dims: {min: 1, max: 64, default: 1},
    defaultN: 10_000,
    suggested: {eps: 1, minPts: 3},
    source: OURS,
    generate: line,
  },
  {
    id: 'spiral',
    title: 'A thin spiral: a breadth-first search n / 2 levels deep',
    dims: PLANE,
    defaultN: 12_000,
    suggested: {eps: 2.5, minPts: 3},
    source: OURS,
    generate: ofOneDimension(spiral),
  },
  {
    id: 'uniform',
    title: 'Uniform in the unit cube',
    dims: {min: 1, max: 64, default: 2},
    defaultN: 1_000_000,
    suggested: {eps: 0.00138, minPts: 5},
    source: OURS,
    generate: uniform,
  },
  adversary('one-cell', 'All points in one cell', oneCell),
  adversary('ten-places', 'Duplicates on ten places', tenPlaces),
  adversary('half', 'Half of the points in one cell, half spread', halfCrowded),
  adversary('filament', 'One thin filament along the diagonal', filament),
  adversary('comb', 'Rows of clusters of ten points that touch at border points', comb),
  adversary('two-cells', 'Two crowded neighbouring cells without a pair within eps', twoCells),
];

/** An adversary of an index or of a shortcut, with eps 1 and minPts 5. */
function adversary(name: string, title: string, generate: DatasetSpec['generate']): DatasetSpec {
  return {
    id: `adversary-${name}`,
    title,
    dims: {min: 1, max: 4, default: 2},
    defaultN: 1_000_000,
    suggested: {eps: 1, minPts: 5},
    source: OURS,
    generate,
  };
}

/** The first n points of the smallest cubic lattice that has n points. */
function latticePrefix({n, dim, precision}: GenerateOptions): PointSet {
  let side = Math.floor(n ** (1 / dim));
  while (side ** dim < n) side++;
  // Only the layers of the first axis that the n points reach.
  const layers = side === 0 ? 0 : Math.ceil(n / side ** (dim - 1));
  const counts = Array.from({length: dim}, (_, axis) => (axis === 0 ? layers : side));
  const {coords} = lattice(counts, {precision});
  return {coords: coords.slice(0, n * dim), dim};
}
