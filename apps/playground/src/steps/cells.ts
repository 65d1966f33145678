import type {PointSet} from '@epsball/clustering';
import {pointBounds} from '@epsball/spatial-grid';
import type {CellMark} from './frame.ts';

export interface CellGrid {
  readonly cellOf: Int32Array;
  /** Points of each cell, ascending. */
  readonly members: readonly (readonly number[])[];
  readonly marks: readonly CellMark[];
  /** Cells at most `reach` away on each axis, without the cell itself. */
  around(cell: number, reach: number): readonly number[];
  painted(cells: readonly number[], paint: number): CellMark[];
}

/** Sorts points of the plane into cells of this side. Cells are in the order of their first point. */
export function gridOf(points: PointSet, side: number): CellGrid {
  const {coords} = points;
  const n = coords.length / 2;
  const {min: low} = pointBounds(points);
  const numbers = new Map<string, number>();
  const places: (readonly [number, number])[] = [];
  const members: number[][] = [];
  const cellOf = Int32Array.from({length: n}, (_, i) => {
    const column = Math.floor((coords[2 * i] - low[0]) / side);
    const row = Math.floor((coords[2 * i + 1] - low[1]) / side);
    const key = `${column},${row}`;
    let cell = numbers.get(key);
    if (cell === undefined) {
      cell = members.push([]) - 1;
      places.push([column, row]);
      numbers.set(key, cell);
    }
    members[cell].push(i);
    return cell;
  });
  const marks = places.map(([column, row]) => ({
    x: low[0] + column * side,
    y: low[1] + row * side,
    width: side,
    height: side,
  }));
  return {
    cellOf,
    members,
    marks,
    painted: (cells, paint) => cells.map((cell) => ({...marks[cell], paint})),
    around: (cell, reach) => {
      const [column, row] = places[cell];
      const found: number[] = [];
      for (let dy = -reach; dy <= reach; dy++) {
        for (let dx = -reach; dx <= reach; dx++) {
          const other = numbers.get(`${column + dx},${row + dy}`);
          if (other !== undefined && other !== cell) found.push(other);
        }
      }
      return found;
    },
  };
}
