import type {GridGeometry} from './geometry.ts';

/** Computes the cells around a cell of a dense grid. */
export class DenseRows {
  // Cells on each axis; 1 for axes ≥ dim, so that one loop serves every dimension up to 4.
  readonly #n0: number;
  readonly #n1: number;
  readonly #n2: number;
  readonly #n3: number;
  readonly #reach: number;

  constructor({cellCounts, reach}: GridGeometry) {
    this.#n0 = cellCounts[0];
    this.#n1 = cellCounts.length > 1 ? cellCounts[1] : 1;
    this.#n2 = cellCounts.length > 2 ? cellCounts[2] : 1;
    this.#n3 = cellCounts.length > 3 ? cellCounts[3] : 1;
    this.#reach = reach;
  }

  neighborCells(cell: number, cells: Int32Array): number {
    const n0 = this.#n0;
    const n1 = this.#n1;
    const n2 = this.#n2;
    const n3 = this.#n3;
    const reach = this.#reach;
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
  }
}
