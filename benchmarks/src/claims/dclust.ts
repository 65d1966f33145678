import type {Term} from '../evidence.ts';
import type {Claim, Relation} from '../judge.ts';
import {
  DCLUST,
  DCLUST_STAR,
  DCLUST_TIMED,
  SEQUENTIAL,
  SEQUENTIAL_ALL_PAIRS,
  SEQUENTIAL_DIRECTORY,
} from '../suites/subjects.ts';
import {change, growth, over, share, speedUp, stable, timeAt, type Place} from './terms.ts';

const SIZES = [30_000, 65_000, 130_000, 260_000, 520_000, 1_000_000];
const INDEXED_SIZES = [...SIZES, 2_000_000];
const MIN_PTS = [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048];
const EPS = [0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1];
export const DIMS: readonly number[] = [4, 8, 16, 32, 64];

const none = (n: number): Place => ({suite: 'dclust-none', n});
const indexed = (n: number): Place => ({suite: 'dclust', n});
const ofMinPts = (minPts: number): Place => ({suite: 'dclust-minpts', params: {minPts}});
const ofEps = (eps: number): Place => ({suite: 'dclust-eps', params: {eps}});
const ofDim = (dim: number): Place => ({suite: 'dclust-dim', dim});
const plain = (n: number): Term[] => over(SEQUENTIAL_ALL_PAIRS, DCLUST, none(n));
const star = (place: Place): Term[] => over(SEQUENTIAL, DCLUST_STAR, place);
const starUp = (place: Place, least: number): Relation => speedUp(SEQUENTIAL, DCLUST_STAR, place, {least});
const steps = (sizes: readonly number[], at: (n: number) => Term[]): Relation[] =>
  sizes.slice(1).map((n, k) =>
    change(`${n.toLocaleString('en-US')} over ${sizes[k].toLocaleString('en-US')} points`, at(n), at(sizes[k]), {
      least: 1,
    }),
  );

/** Rows of Table 1: the suite over n has 8 dimensions. */
export const TABLE_1_PLACES: readonly Place[] = [
  ...[65_000, 130_000, 260_000].map(indexed),
  ...[16, 32, 64].map(ofDim),
  ...[520_000, 1_000_000, 2_000_000].map(indexed),
];
const indexShare = (place: Place, most: number): Relation =>
  share(
    `index over the rest at ${place.dim === undefined ? place.n?.toLocaleString('en-US') : `${place.dim} dimensions`}`,
    {...place, ...DCLUST_STAR},
    'host:index',
    'rest',
    {most},
  );

const KERNELS = 'counter:expansionMs+newSeedsMs+collisionMs+seedRefillMs';
/** The share of some kernels in both data sets. */
const kernels = (name: string, part: `counter:${string}`, bounds: {least?: number; most?: number}): Relation[] =>
  [520_000, 4_000_000].map((n) => {
    const cell = {suite: 'dclust-kernels', n, ...DCLUST_TIMED};
    return share(`${name} at ${n.toLocaleString('en-US')} points`, cell, part, KERNELS, bounds);
  });

export const dclustClaims: readonly Claim[] = [
  {
    id: 'dc-71-range',
    entries: ['dc-fig7a', 'dc-c-71'],
    says: 'The speedup ranges from 10 for 30k points up to 15 for 1m points.',
    rule: 'our speed-ups without an index are at least 10 at 30,000 points and 15 at 1,000,000',
    relations: [
      speedUp(SEQUENTIAL_ALL_PAIRS, DCLUST, none(30_000), {least: 10}),
      speedUp(SEQUENTIAL_ALL_PAIRS, DCLUST, none(1_000_000), {least: 15}),
    ],
  },
  {
    id: 'dc-71-grows',
    entries: ['dc-fig7a', 'dc-c-71'],
    says: 'by a large factor that is even growing with the number of points N',
    rule: 'without an index each size has a higher speed-up than the size before it, from 30,000 to 1,000,000 points',
    relations: steps(SIZES, plain),
  },
  {
    id: 'dc-72-range',
    entries: ['dc-fig7b', 'dc-c-72'],
    says: 'the speedup ranges from 3.5 for 30k points to almost 15 for 2m points',
    rule: 'our speed-ups with an index are at least 3.5 at 30,000 points and 15 at 2,000,000',
    relations: [starUp(indexed(30_000), 3.5), starUp(indexed(2_000_000), 15)],
  },
  {
    id: 'dc-72-grows',
    entries: ['dc-fig7b', 'dc-c-72'],
    says: 'by a large factor, that is proportional to the size of the data set',
    rule: 'each size has a higher speed-up than the size before it, and all grow by a power of 0.8 to 1.2 of n',
    relations: [
      ...steps(INDEXED_SIZES, (n) => star(indexed(n))),
      growth(INDEXED_SIZES, (n) => star(indexed(n)), {least: 0.8, most: 1.2}),
    ],
  },
  {
    id: 'dc-72-guaranteed',
    entries: ['dc-fig7b', 'dc-c-72'],
    says: 'A guaranteed speedup factor of at least 10 is obtained by data sets consisting of more than 250k points',
    rule: 'our speed-ups are at least 10 from 260,000 points on',
    relations: INDEXED_SIZES.slice(3).map((n) => starUp(indexed(n), 10)),
  },
  {
    id: 'dc-73-longer',
    entries: ['dc-fig7c', 'dc-c-73'],
    says: 'the runtime of CUDA-DClust* increases for larger $MinPts$ values',
    rule: 'our time on the GPU at minPts 2048 is longer than that at 4',
    relations: [
      change('minPts 2048 over 4', timeAt(DCLUST_STAR, ofMinPts(2048)), timeAt(DCLUST_STAR, ofMinPts(4)), {least: 1}),
    ],
  },
  {
    id: 'dc-73-range',
    entries: ['dc-fig7c', 'dc-c-73'],
    says: 'For $4 \\leq MinPts \\leq 512$ the speedup factor remains relatively stable between 10 and 5.',
    rule: 'our speed-ups for minPts from 4 to 512 are at least 5, and none is more than twice another',
    relations: [
      ...MIN_PTS.slice(0, 8).map((minPts) => starUp(ofMinPts(minPts), 5)),
      ...stable('minPts', MIN_PTS.slice(0, 8), (minPts) => star(ofMinPts(minPts)), 2),
    ],
  },
  {
    id: 'dc-73-falls',
    entries: ['dc-fig7c', 'dc-c-73'],
    says: 'Then the speedup decreases significantly.',
    rule: 'our speed-up at minPts 2048 is at most 0.8 times that at 512',
    relations: [change('minPts 2048 over 512', star(ofMinPts(2048)), star(ofMinPts(512)), {most: 0.8})],
  },
  {
    id: 'dc-73-two',
    entries: ['dc-fig7c', 'dc-c-73'],
    says: 'outperforms the implementation on CPU even for large $MinPts$ -values by a factor of 2',
    rule: 'our speed-ups at minPts 1024 and 2048 are at least 2',
    relations: [starUp(ofMinPts(1024), 2), starUp(ofMinPts(2048), 2)],
  },
  {
    id: 'dc-74-stable',
    entries: ['dc-fig7d', 'dc-c-74'],
    says: 'the impact of ϵ is negligible, as the range of the corresponding speedup factor is almost stable between 9 and 10',
    rule: 'our speed-ups for eps from 0.02 to 0.10 are at least 9, and none is more than 1.25 times another',
    relations: [...EPS.map((eps) => starUp(ofEps(eps), 9)), ...stable('eps', EPS, (eps) => star(ofEps(eps)), 1.25)],
  },
  {
    id: 'dc-75-seven',
    entries: ['dc-fig7e', 'dc-c-75'],
    says: 'by factors of about 7 to 12 depending on the dimensionality of the data',
    rule: 'our speed-ups in 4 to 64 dimensions are at least 7',
    relations: DIMS.map((dim) => speedUp(SEQUENTIAL_DIRECTORY, DCLUST_STAR, ofDim(dim), {least: 7})),
  },
  {
    id: 'dc-76-five',
    entries: ['dc-tab1', 'dc-c-76'],
    says: 'a fraction of lower than 5%',
    rule: 'in each row of Table 1 our time of the index is below 5 % of the rest of the run on the GPU',
    relations: TABLE_1_PLACES.map((place) => indexShare(place, 0.05)),
  },
  {
    id: 'dc-76-two',
    entries: ['dc-tab1', 'dc-c-76'],
    says: 'an even smaller value of lower than 2%',
    rule: 'from 520,000 points on it is below 2 %',
    relations: TABLE_1_PLACES.slice(6).map((place) => indexShare(place, 0.02)),
  },
  {
    id: 'dc-77-bulk',
    entries: ['dc-fig8a', 'dc-fig8b', 'dc-c-77'],
    says: 'the bulk of performance is executed by the cluster expansion kernel',
    rule: 'cluster expansion has more than half of the time in both data sets',
    relations: kernels('cluster expansion', 'counter:expansionMs', {least: 0.5}),
  },
  {
    id: 'dc-77-small',
    entries: ['dc-fig8a', 'dc-fig8b'],
    says: 'only consume a small fraction of the complete runtime',
    rule: 'new seeds, collision matrix and seed refill together have at most a fifth of the time in both data sets',
    relations: kernels('all others', 'counter:newSeedsMs+collisionMs+seedRefillMs', {most: 0.2}),
  },
  {
    id: 'dc-77-negligible',
    entries: ['dc-c-77'],
    says: 'the time needed to divide the clustering process and the time to integrate the result for both algorithms CUDA-DClust and CUDA-DClust* is negligible',
    rule: 'new seeds, which divide the work among chains, and the collision matrix, which integrates them, together have at most 5 % of the time in both data sets',
    relations: kernels('new seeds and collision matrix', 'counter:newSeedsMs+collisionMs', {most: 0.05}),
  },
  {
    id: 'dc-order',
    entries: ['dc-c-order'],
    says: 'outperforms the algorithm DBSCAN on CPU by an order of magnitude and yields an equally accurate clustering',
    rule: 'at 260,000 points in eight dimensions our speed-ups are at least 10, without and with an index, for all minPts, eps and dimensions of the figures’ default; a cell is measured only if its labels are equal, byte for byte',
    relations: [
      speedUp(SEQUENTIAL_ALL_PAIRS, DCLUST, none(260_000), {least: 10}),
      starUp(indexed(260_000), 10),
      starUp(ofMinPts(4), 10),
      starUp(ofEps(0.05), 10),
      speedUp(SEQUENTIAL_DIRECTORY, DCLUST_STAR, ofDim(8), {least: 10}),
    ],
  },
  {
    id: 'dc-index-helps',
    entries: ['dc-c-order'],
    says: 'The impressive results can even be increased by the use of an appropriate index structure',
    rule: 'CUDA-DClust* is faster than CUDA-DClust at every size from 30,000 points on',
    relations: INDEXED_SIZES.map((n) => speedUp(DCLUST, DCLUST_STAR, indexed(n), {least: 1})),
  },
  {
    id: 'dc-complexity',
    entries: ['dc-c-complexity'],
    says: 'ranging from $O(n \\log n)$ to $O(n^2)$',
    rule: 'without an index our sequential time grows by a power of 1.8 to 2.2',
    relations: [
      growth([30_000, 65_000, 130_000], (n) => timeAt(SEQUENTIAL_ALL_PAIRS, none(n)), {least: 1.8, most: 2.2}),
    ],
  },
];
