import {pointCount, type PointSet} from '@epsball/clustering';
import {seededRandom} from '@epsball/conformance';
import {describeDbscanCases, describeDbscanProperties, type DbscanSubject} from '@epsball/conformance/suite';
import {planTiling} from '../src/tiling/planTiling.ts';
import {tilingFromCuts, type CutTree, type Tiling} from '../src/tiling/tiling.ts';
import {outOfCoreDbscan, temporaryFolder} from './outOfCore.ts';

const folder = temporaryFolder('memory');

const tilings: Readonly<Record<string, (points: PointSet, eps: number) => Tiling>> = {
  '2 tiles': (points, eps) => forced(points, eps, 2),
  '3 tiles': (points, eps) => forced(points, eps, 3),
  '16 tiles': (points, eps) => forced(points, eps, 16),
  '5 tiles, cut at points and at eps beside them': cutsAtPoints,
};

for (const [id, tilingOf] of Object.entries(tilings)) {
  const subject: DbscanSubject = {
    id: `out of core, ${id}`,
    maxDim: Infinity,
    // `dbscan()` sets this bound itself, for the metric cosine. A run out of core has Euclidean distances only.
    takes: ({params: {eps2}}) => eps2 === undefined,
    create: async () => outOfCoreDbscan(folder, tilingOf),
  };
  describeDbscanCases(subject, {part: id === '3 tiles' ? 1 : 1 / 8});
  if (id !== '2 tiles') describeDbscanProperties(subject);
}

/** As many tiles as the points allow, however narrow. */
function forced(points: PointSet, eps: number, minTiles: number): Tiling {
  return planTiling(points, {eps, rowCount: pointCount(points), capacity: Infinity, minTiles, minWidth: 0});
}

function cutsAtPoints({coords, dim}: PointSet, eps: number): Tiling {
  const random = seededRandom(coords.length);
  const n = coords.length / dim;
  const grow = (count: number): CutTree | undefined => {
    if (count <= 1 || n === 0) return undefined;
    const axis = Math.floor(random() * dim);
    const x = coords[Math.floor(random() * n) * dim + axis];
    const at = [x, x + eps, x - eps][Math.floor(random() * 3)];
    return {axis, at: Number.isFinite(at) ? at : x, below: grow(count >> 1), above: grow(count - (count >> 1))};
  };
  return tilingFromCuts(dim, grow(5));
}
