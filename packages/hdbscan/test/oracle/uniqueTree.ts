import {squaredDistance, type PointSet} from '@epsball/clustering';
import type {OracleEdge} from './definition.ts';

/** The tree that Kruskal's algorithm takes of all pairs in the order of (w², smaller index, larger index). */
export function kruskalTree({coords, dim}: PointSet, core: Float64Array): OracleEdge[] {
  const n = core.length;
  const pairs: OracleEdge[] = [];
  for (let b = 1; b < n; b++) {
    for (let a = 0; a < b; a++) {
      pairs.push({a, b, squared: Math.max(core[a], core[b], squaredDistance(coords, dim, a, b))});
    }
  }
  pairs.sort((x, y) => x.squared - y.squared || x.a - y.a || x.b - y.b);
  const component = Array.from({length: n}, (_, i) => i);
  return pairs.filter(({a, b}) => {
    const [one, other] = [component[a], component[b]];
    if (one === other) return false;
    component.forEach((c, i) => {
      if (c === other) component[i] = one;
    });
    return true;
  });
}

/** The components of the edges of at most a squared weight, each by its smallest member, in the order of these. */
export function componentsAt(edges: readonly OracleEdge[], n: number, squared: number): number[][] {
  const component = Array.from({length: n}, (_, i) => i);
  for (const edge of edges) {
    if (edge.squared > squared) continue;
    const [low, high] = [component[edge.a], component[edge.b]].sort((a, b) => a - b);
    component.forEach((c, i) => {
      if (c === high) component[i] = low;
    });
  }
  return Object.values(Object.groupBy(component.keys(), (i) => component[i])).map((members) => members ?? []);
}
