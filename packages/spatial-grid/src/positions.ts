/** The stored cell of each position. */
export function cellsOfPositions(cellStart: Int32Array, n: number): Int32Array {
  const cellOf = new Int32Array(n);
  for (let c = 0, k = 0; c < cellStart.length - 1; c++) {
    const end = cellStart[c + 1];
    while (k < end) cellOf[k++] = c;
  }
  return cellOf;
}

/** The position of each original index: the inverse of `pointOrder`. */
export function positionsOfPoints(pointOrder: Int32Array): Int32Array {
  const positionOf = new Int32Array(pointOrder.length);
  for (let k = 0; k < pointOrder.length; k++) positionOf[pointOrder[k]] = k;
  return positionOf;
}
