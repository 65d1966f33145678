// Selection on points that are moved as a whole.

/** Above this many points, the pivot comes from a recursive selection in a sample. */
const SAMPLED_FROM = 600;

export interface MovedPoints {
  readonly dim: number;
  readonly coords: Float64Array;
  readonly pointOrder: Int32Array;
}

/**
 * Moves the points [first, last] so that the one at `middle` is in its place in the order of one axis.
 *
 * @complexity  O(last − first) expected
 * @source      Floyd and Rivest 1975, Algorithm 489: SELECT
 */
export function selectPosition(points: MovedPoints, axis: number, first: number, last: number, middle: number): void {
  const {dim, coords} = points;
  let low = first;
  let high = last;
  while (high > low) {
    if (high - low > SAMPLED_FROM) selectSample(points, axis, low, high, middle);
    const pivot = coords[middle * dim + axis];
    let i = low;
    let j = high;
    // The partition needs the pivot at one end.
    swapPoints(points, low, middle);
    if (coords[high * dim + axis] > pivot) swapPoints(points, low, high);
    while (i < j) {
      swapPoints(points, i, j);
      i++;
      j--;
      while (coords[i * dim + axis] < pivot) i++;
      while (coords[j * dim + axis] > pivot) j--;
    }
    if (coords[low * dim + axis] === pivot) {
      swapPoints(points, low, j);
    } else {
      j++;
      swapPoints(points, j, high);
    }
    if (j <= middle) low = j + 1;
    if (middle <= j) high = j - 1;
  }
}

/** Selects in a sample around `middle`, so that the coordinate there is a good pivot. */
function selectSample(points: MovedPoints, axis: number, low: number, high: number, middle: number): void {
  const count = high - low + 1;
  const rank = middle - low + 1;
  const z = Math.log(count);
  const size = 0.5 * Math.exp((2 * z) / 3);
  const spread = 0.5 * Math.sqrt((z * size * (count - size)) / count) * Math.sign(rank - count / 2);
  const from = Math.max(low, Math.floor(middle - (rank * size) / count + spread));
  const to = Math.min(high, Math.floor(middle + ((count - rank) * size) / count + spread));
  selectPosition(points, axis, from, to, middle);
}

function swapPoints({dim, coords, pointOrder}: MovedPoints, a: number, b: number): void {
  const point = pointOrder[a];
  pointOrder[a] = pointOrder[b];
  pointOrder[b] = point;
  let atA = a * dim;
  let atB = b * dim;
  for (let d = 0; d < dim; d++, atA++, atB++) {
    const value = coords[atA];
    coords[atA] = coords[atB];
    coords[atB] = value;
  }
}
