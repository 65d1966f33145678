export {pointBounds, type PointBounds} from './bounds.ts';
export {buildUniformGrid, type UniformGridOptions} from './buildUniformGrid.ts';
export {cellOnAxis, diagonalGeometry, gridGeometry, type GridGeometry} from './geometry.ts';
export {NeighborQuery} from './neighborQuery.ts';
export type {RangeCount, RangeSearch} from './range.ts';
export {rangeCount} from './rangeCount.ts';
export {rangeSearch} from './rangeSearch.ts';
export {openSharedGrid, type SharedGrid} from './openSharedGrid.ts';
export {
  cellsToRanges,
  MAX_GRID_DIM,
  RANGES_LENGTH,
  type CellIndex,
  type NeighborRanges,
  type UniformGrid,
} from './uniformGrid.ts';
