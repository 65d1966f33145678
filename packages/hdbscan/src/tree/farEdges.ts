import {findRoot, uniteByIndex} from '@epsball/union-find';
import type {TreeEdges} from '../hierarchy/treeEdges.ts';

/**
 * Joins components by infinite edges. In the order of indices these lead from point 0 to the smallest point of each
 * other component.
 *
 * @param edges   of which `count` are known; the others are written
 * @param parent  the components of the known edges; changed
 */
export function withFarEdges(edges: TreeEdges, count: number, parent: Int32Array): TreeEdges {
  let edge = count;
  for (let i = 1; i < parent.length; i++) {
    if (findRoot(parent, i) === findRoot(parent, 0)) continue;
    uniteByIndex(parent, 0, i);
    edges.from[edge] = 0;
    edges.to[edge] = i;
    edges.squared[edge++] = Infinity;
  }
  return edges;
}
