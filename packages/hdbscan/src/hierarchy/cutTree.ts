import {InvalidParameterError, NOISE, squaredEps} from '@epsball/clustering';
import {findRoot, makeSets, uniteByIndex} from '@epsball/union-find';
import type {TreeEdges} from './sortEdges.ts';

/**
 * DBSCAN's core partition: joins the edges of weight ≤ eps among the points with a core distance ≤ eps. A root before
 * the comparison would be wrong: d² may exceed eps·eps although √d² rounds to eps.
 *
 * @param tree  squared core distances by point, edges between positions, ascending, and the point at each position
 * @param eps   finite, > 0
 * @param eps2  the bound of squares
 * @returns     labels by smallest core point; −1 for points that are not core
 * @throws InvalidParameterError  if `eps` is out of range
 * @complexity  O(n · α(n))
 */
export function cutTree(
  tree: {readonly coreSquared: Float64Array; readonly edges: TreeEdges; readonly pointOrder: Int32Array},
  eps: number,
  eps2: number = squaredEps(eps),
): Int32Array {
  const {coreSquared, edges, pointOrder} = tree;
  if (!(eps > 0 && eps < Infinity)) throw new InvalidParameterError('eps', eps, 'a finite number > 0');
  const {from, to, squared} = edges;
  const n = coreSquared.length;
  const parent = new Int32Array(n);
  makeSets(parent);
  for (let k = 0; k < squared.length && squared[k] <= eps2; k++) uniteByIndex(parent, from[k], to[k]);
  const rootOf = new Int32Array(n);
  for (let p = 0; p < n; p++) rootOf[pointOrder[p]] = findRoot(parent, p);
  const numbers = new Int32Array(n).fill(NOISE);
  const labels = new Int32Array(n).fill(NOISE);
  let count = 0;
  for (let i = 0; i < n; i++) {
    if (!(coreSquared[i] <= eps2)) continue;
    const root = rootOf[i];
    if (numbers[root] === NOISE) numbers[root] = count++;
    labels[i] = numbers[root];
  }
  return labels;
}
