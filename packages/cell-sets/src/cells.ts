/** The cell that holds a position, in O(log cells). */
export function cellOfPosition(cellStart: Int32Array, position: number): number {
  let low = 0;
  let high = cellStart.length - 1;
  // cellStart[low] <= position < cellStart[high]
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (cellStart[middle] <= position) low = middle;
    else high = middle;
  }
  return low;
}
