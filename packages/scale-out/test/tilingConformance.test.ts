import type {PointSet} from '@epsball/clustering';
import {describeDbscanCases, describeDbscanProperties} from '@epsball/conformance/suite';
import type {Tiling} from '../src/tiling/tiling.ts';
import {cutsAtPoints, forcedTiling, tiledDbscan} from './clusterInTiles.ts';

const tilings: Readonly<Record<string, (points: PointSet, eps: number) => Tiling>> = {
  '2 tiles': (points, eps) => forcedTiling(points, eps, 2),
  '3 tiles': (points, eps) => forcedTiling(points, eps, 3),
  '16 tiles': (points, eps) => forcedTiling(points, eps, 16),
  '2 tiles, cut at points and at eps beside them': (points, eps) => cutsAtPoints(points, eps, 2, points.coords.length),
  '9 tiles, cut at points and at eps beside them': (points, eps) => cutsAtPoints(points, eps, 9, points.coords.length),
};

for (const [id, tilingOf] of Object.entries(tilings)) {
  const subject = {id, maxDim: Infinity, create: async () => tiledDbscan(tilingOf)};
  describeDbscanCases(subject, {part: 1});
  describeDbscanProperties(subject);
}
