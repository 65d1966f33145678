import type {DbscanParams, PointSet} from '@epsball/clustering';
import {recordDclust} from './dclust.ts';
import {recordDenseGrid} from './denseGrid.ts';
import type {Recording} from './frame.ts';
import {recordGdbscan} from './gdbscan.ts';
import {recordGridBfs} from './gridBfs.ts';
import {recordHybrid} from './hybrid.ts';
import {recordMeanShift} from './meanShift.ts';
import {findBalls, type Balls} from './neighbors.ts';
import {recordPds} from './pds.ts';
import {recordSequential} from './sequential.ts';
import {Tape} from './tape.ts';

export interface Design {
  /** The id of its row in the catalogue, or `mean-shift`. */
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly idea: string;
  /** What marks of the picture mean here. */
  readonly legend: readonly (readonly [
    mark: 'focus' | 'ball' | 'core' | 'solid' | 'dashed' | 'cell',
    meaning: string,
  ])[];
  /** Whether it takes the bandwidth from eps, and no minPts. */
  readonly isMeanShift?: true;
  record(points: PointSet, params: DbscanParams): Recording;
}

const CORE = ['core', 'core point'] as const;
const BALL = ['ball', 'neighbourhood, radius ε'] as const;

/** All animated designs, from the plainest on. */
export const designs: readonly Design[] = [
  {
    id: 'sequential',
    title: 'DBSCAN, a seed list',
    source: 'Ester, Kriegel, Sander, Xu 1996',
    idea: 'The algorithm as published. A cluster grows from one core point: a list holds the core points whose neighbours are not yet in the cluster. One region query follows another, so nothing runs at the same time.',
    legend: [['focus', 'seed of this step'], BALL, CORE, ['solid', 'adds to the cluster']],
    record: recorder(recordSequential),
  },
  {
    id: 'grid-bfs',
    title: 'GPU-DBSCAN, breadth-first levels',
    source: 'Milanesi 2025',
    idea: 'A grid finds neighbours. A cluster grows level by level: all points of the frontier claim their neighbours at the same time, and claimed core points are the next frontier. Clusters are found one after another.',
    legend: [['focus', 'frontier'], BALL, CORE, ['solid', 'claims'], ['cell', 'cell of side ε']],
    record: recorder(recordGridBfs),
  },
  {
    id: 'gdbscan',
    title: 'G-DBSCAN, a neighbour graph',
    source: 'Andrade, Ramos, Madeira, Sachetto, Ferreira, Rocha 2013',
    idea: 'All neighbours are stored first, as a graph: a degree for each point, a prefix sum, then the edges. The search by levels reads edges and computes no distances.',
    legend: [['focus', 'frontier Fa'], CORE, ['solid', 'claims'], ['dashed', 'edge of the graph']],
    record: recorder(recordGdbscan),
  },
  {
    id: 'dclust',
    title: 'CUDA-DClust, chains and collisions',
    source: 'Böhm, Noll, Plant, Wackersreuther 2009',
    idea: 'Many chains grow at the same time, from different points. Where two chains touch one core point, a matrix notes the collision. At the end the host joins chains that have collided.',
    legend: [['focus', 'seed of a chain'], BALL, CORE, ['solid', 'marks'], ['dashed', 'collision']],
    record: recorder(recordDclust),
  },
  {
    id: 'pds',
    title: 'PDSDBSCAN, disjoint sets',
    source: 'Patwary, Palsetia, Agrawal, Liao, Manne, Choudhary 2012',
    idea: 'Clusters are disjoint sets: trees in which each point has a parent. Uniting two sets needs no order, so each thread unites its own part. Pairs that cross between parts wait, and are united afterwards.',
    legend: [
      ['focus', 'points of the threads'],
      CORE,
      ['solid', 'to the parent'],
      ['dashed', 'waiting pair'],
      ['cell', 'part of a thread'],
    ],
    record: recorder(recordPds),
  },
  {
    id: 'hybrid',
    title: 'Hybrid of graph and disjoint sets',
    source: 'A course report on G-DBSCAN, PDSDBSCAN and a hybrid of both',
    idea: 'A GPU finds neighbours fast, and threads unite sets well. So the device builds the graph in chunks, while threads unite the edges of the chunk before.',
    legend: [['focus', 'united in this step'], CORE, ['solid', 'to the parent'], ['dashed', 'edge on its way']],
    record: recorder(recordHybrid),
  },
  {
    id: 'dense-grid',
    title: 'Dense grid, sets of cells',
    source: 'epsball; after Gunawan 2013',
    idea: 'In a cell whose diagonal is ε, all points are neighbours. A cell with minPts points needs no distance test, and its core points are one set. One pair of neighbours joins two cells.',
    legend: [
      ['focus', 'pair that joins cells'],
      BALL,
      CORE,
      ['solid', 'pair of cells'],
      ['cell', 'cell in the colour of its set'],
    ],
    record: recorder(recordDenseGrid),
  },
  {
    id: 'mean-shift',
    title: 'Mean shift, points climb to modes',
    source: 'Comaniciu and Meer 2002; Agnolucci 2020',
    idea: 'The density is a sum of Gaussians. Each point moves to the weighted mean of all points, again and again, and so climbs to a mode. Points that reach one mode are a cluster. There is no noise.',
    legend: [
      ['ball', 'bandwidth'],
      ['solid', 'way of a point'],
    ],
    isMeanShift: true,
    record: (points, {eps}) => recordMeanShift(points, eps),
  },
];

/** Records a variant of DBSCAN on a new tape, with the neighbours of all points. */
function recorder(
  play: (tape: Tape, balls: Balls, params: DbscanParams, points: PointSet) => void,
): (points: PointSet, params: DbscanParams) => Recording {
  return (points, params) => {
    const balls = findBalls(points, params.eps);
    const tape = new Tape(balls.length);
    play(tape, balls, params, points);
    return tape.end();
  };
}
