import type {GridGeometry} from './geometry.ts';
import type {NeighborRanges} from './uniformGrid.ts';

/** Computes the cells around a cell of a dense grid. */
export function denseRows({cellCounts, reach}: GridGeometry): NeighborRanges['neighborCells'] {
  // Cells on each axis; 1 for axes ≥ dim, so that one loop serves every dimension up to 4.
  const [n0, n1 = 1, n2 = 1, n3 = 1] = cellCounts;
  return (cell, cells) => {
    const row = Math.trunc(cell / n0);
    const c0 = cell - row * n0;
    const first = c0 > reach ? c0 - reach : 0;
    const last = c0 + reach < n0 ? c0 + reach + 1 : n0;
    const plane = Math.trunc(row / n1);
    const c1 = row - plane * n1;
    const c3 = Math.trunc(plane / n2);
    const c2 = plane - c3 * n2;
    let count = 0;
    for (let w = c3 > reach ? c3 - reach : 0; w <= c3 + reach && w < n3; w++) {
      for (let z = c2 > reach ? c2 - reach : 0; z <= c2 + reach && z < n2; z++) {
        for (let y = c1 > reach ? c1 - reach : 0; y <= c1 + reach && y < n1; y++) {
          const base = ((w * n2 + z) * n1 + y) * n0;
          cells[count++] = base + first;
          cells[count++] = base + last;
        }
      }
    }
    return count >> 1;
  };
}
