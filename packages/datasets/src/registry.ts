import type {PointSet} from '@epsball/clustering';
import type {GenerateOptions} from './coords.ts';
import {comb, filament, halfCrowded, oneCell, tenPlaces, twoCells} from './generators/adversaries.ts';
import {embeddings} from './generators/embeddings.ts';
import {gaussians, gaussians3d, spots, spotsEps} from './generators/gaussians.ts';
import {halos, halosEps} from './generators/halos.ts';
import {latticeBlocks, latticeSide} from './generators/latticeBlocks.ts';
import {milanesi} from './generators/milanesi.ts';
import {duplicates, lattice, line, spiral, uniform} from './generators/regular.ts';
import {aniso, blobs, circles, moons, noStructure, varied} from './generators/scikitLearn.ts';
import {tweets} from './generators/tweets.ts';

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

const SPACE = {min: 3, max: 3, default: 3};
const SCIKIT_LEARN = 'scikit-learn, examples/cluster/plot_cluster_comparison.py (standardised)';

interface Row {
  /** Default: 2 alone. */
  readonly dims?: DatasetSpec['dims'];
  /** Default n. Default: 1500. */
  readonly n?: number;
  readonly eps: number;
  /** Default: 5. */
  readonly minPts?: number;
  readonly bandwidth?: number;
  /** Default: epsball. */
  readonly source?: string;
}

/** All generators. Those of scikit-learn suggest the eps of its page and `min_samples` at its default of 5. */
export const datasets: readonly DatasetSpec[] = [
  planar('milanesi', 'Ten clusters of many shapes on uniform noise', milanesi, {
    n: 1_000_000,
    eps: 0.03,
    minPts: 8,
    source: 'L. Milanesi, GPU-DBSCAN, 2025–2026, Figure 1',
  }),
  planar('circles', 'Two concentric circles', circles, {eps: 0.3, source: SCIKIT_LEARN}),
  planar('moons', 'Two interleaved half circles', moons, {eps: 0.3, source: SCIKIT_LEARN}),
  planar('varied', 'Three blobs of different spread', varied, {eps: 0.18, source: SCIKIT_LEARN}),
  planar('aniso', 'Three stretched blobs', aniso, {eps: 0.15, source: SCIKIT_LEARN}),
  planar('blobs', 'Three round blobs', blobs, {eps: 0.3, source: SCIKIT_LEARN}),
  planar('no-structure', 'Uniform square, nothing to find', noStructure, {eps: 0.3, source: SCIKIT_LEARN}),
  planar('tweets', 'Geo-tagged messages: skewed cities, roads, duplicates', tweets, {
    n: 200_000,
    eps: 0.01,
    minPts: 40,
    source: 'imitates the Twitter set of HPDBSCAN (Götz, Bodenstein, Riedel 2015)',
  }),
  spec('gaussians', '20 Gaussian clusters in the unit cube', gaussians, {
    dims: upTo(64, 8),
    n: 260_000,
    eps: 0.05,
    minPts: 4,
    source: 'Böhm et al. 2009 (CUDA-DClust), Section 7',
  }),
  spec(
    'dense-gaussians',
    '20 narrow Gaussian clusters in the unit cube, for large minPts',
    (options) => gaussians({...options, isDense: true}),
    {
      dims: upTo(64, 8),
      n: 260_000,
      eps: 0.05,
      minPts: 512,
      source: 'Böhm et al. 2009 (CUDA-DClust), Section 7.3',
    },
  ),
  spec('embeddings', 'Unit vectors in 50 clusters, as embeddings of texts', embeddings, {
    dims: upTo(1536, 768),
    n: 100_000,
    eps: 0.6,
    minPts: 10,
    source: 'imitates embeddings of texts',
  }),
  spec('gaussians3d', 'Five 3-D Gaussians for mean shift', ofOneDimension(gaussians3d), {
    dims: SPACE,
    n: 10_000,
    eps: 0.5,
    minPts: 8,
    bandwidth: 2,
    source: 'L. Agnolucci, Mean Shift clustering algorithm, 2020',
  }),
  spec('spots', '100 Gaussian spots and one tenth noise in the unit box', spots, {
    dims: upTo(4, 2),
    n: 1_000_000,
    eps: spotsEps(1_000_000, 2),
    minPts: 10,
  }),
  spec('halos', 'Halos of many sizes in the unit cube, for friends-of-friends', ofOneDimension(halos), {
    dims: SPACE,
    n: 1_000_000,
    eps: halosEps(1_000_000),
    minPts: 2,
    source: 'imitates a cosmological simulation; Davis et al. 1985 (friends-of-friends)',
  }),
  spec('lattice', 'Unit lattice: every neighbour pair on the boundary', latticePrefix, {
    dims: upTo(8, 2),
    n: 4096,
    eps: 1,
  }),
  blockLattice(2),
  blockLattice(3),
  spec('duplicates', 'Points on 100 places', duplicates, {dims: upTo(64, 2), n: 10_000, eps: 0.01}),
  spec('line', 'Unit steps along the first axis', line, {dims: upTo(64, 1), n: 10_000, eps: 1, minPts: 3}),
  planar('spiral', 'A thin spiral: a breadth-first search n / 2 levels deep', spiral, {n: 12_000, eps: 2.5, minPts: 3}),
  spec('uniform', 'Uniform in the unit cube', uniform, {dims: upTo(64, 2), n: 1_000_000, eps: 0.00138}),
  adversary('one-cell', 'All points in one cell', oneCell),
  adversary('ten-places', 'Duplicates on ten places', tenPlaces),
  adversary('half', 'Half of the points in one cell, half spread', halfCrowded),
  adversary('filament', 'One thin filament along the diagonal', filament),
  adversary('comb', 'Rows of clusters of ten points that touch at border points', comb),
  adversary('two-cells', 'Two crowded neighbouring cells without a pair within eps', twoCells),
];

function spec(
  id: string,
  title: string,
  generate: DatasetSpec['generate'],
  {dims = {min: 2, max: 2, default: 2}, n = 1500, eps, minPts = 5, bandwidth, source = 'epsball'}: Row,
): DatasetSpec {
  return {
    id,
    title,
    dims,
    defaultN: n,
    suggested: {eps, minPts, ...(bandwidth === undefined ? {} : {bandwidth})},
    source,
    generate,
  };
}

type Generate = (options: Omit<GenerateOptions, 'dim'>) => PointSet;

/** A generator that has no option for its dimension. */
function ofOneDimension(generate: Generate): DatasetSpec['generate'] {
  return ({n, seed, precision, onProgress}) => generate({n, seed, precision, onProgress});
}

function planar(id: string, title: string, generate: Generate, row: Row): DatasetSpec {
  return spec(id, title, ofOneDimension(generate), row);
}

/** An adversary of an index or of a shortcut. */
function adversary(name: string, title: string, generate: DatasetSpec['generate']): DatasetSpec {
  return spec(`adversary-${name}`, title, generate, {dims: upTo(4, 2), n: 1_000_000, eps: 1});
}

/** `latticeBlockLabels` returns its labels. */
function blockLattice(dim: 2 | 3): DatasetSpec {
  return spec(
    `lattice${dim}d`,
    `Lattice in blocks of ${100 ** dim} points, each a cluster`,
    ({n, precision, onProgress}) => latticeBlocks({n, dim, precision, onProgress}),
    {dims: {min: dim, max: dim, default: dim}, n: 1_000_000, eps: 1, minPts: 2, source: 'ArborX, pull request 1228'},
  );
}

function upTo(max: number, usual: number): DatasetSpec['dims'] {
  return {min: 1, max, default: usual};
}

/** The first n points of the smallest cubic lattice that has n points. */
function latticePrefix({n, dim, precision}: GenerateOptions): PointSet {
  const side = latticeSide(n, dim);
  // Only the layers of the first axis that the n points reach.
  const layers = side === 0 ? 0 : Math.ceil(n / side ** (dim - 1));
  const counts = Array.from({length: dim}, (_, axis) => (axis === 0 ? layers : side));
  const {coords} = lattice(counts, {precision});
  return {coords: coords.slice(0, n * dim), dim};
}
