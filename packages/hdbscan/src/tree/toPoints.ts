import type {TreeEdges} from '../hierarchy/sortEdges.ts';

/** Values by position, brought into the order of the points. */
export function coresByPoint(core: Float64Array, pointOrder: Int32Array): Float64Array {
  const byPoint = new Float64Array(core.length);
  for (let p = 0; p < core.length; p++) byPoint[pointOrder[p]] = core[p];
  return byPoint;
}

/** Edges between positions, as edges between points. */
export function edgesByPoint({from, to, squared}: TreeEdges, pointOrder: Int32Array): TreeEdges {
  return {from: from.map((p) => pointOrder[p]), to: to.map((p) => pointOrder[p]), squared};
}
