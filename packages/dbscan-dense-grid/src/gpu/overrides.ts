import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import type {DenseGridBuffers} from './runBuffers.ts';

type Layout = GpuGrid['overrides'];

/** Pipeline constants of kernels over the cells of a sparse or ranked grid. */
export function cellOverrides({overrides}: GpuGrid): Omit<Layout, 'IS_SPARSE' | 'IS_WIDE'> {
  const {IS_SPARSE: _, IS_WIDE: __, ...cells} = overrides;
  return cells;
}

/** Pipeline constants of kernels over points, which cut rows to the ball around a point and never look at float64. */
export function narrowedOverrides(
  {overrides}: GpuGrid,
  {hasWholeCells, isNarrowed, isBlocked, patience: PATIENCE}: DenseGridBuffers,
): Omit<Layout, 'IS_WIDE'> &
  Readonly<Record<'HAS_WHOLE_CELLS' | 'IS_NARROWED' | 'IS_BLOCKED', boolean>> & {readonly PATIENCE: number} {
  const {IS_WIDE: _, ...layout} = overrides;
  return {...layout, HAS_WHOLE_CELLS: hasWholeCells, IS_NARROWED: isNarrowed, IS_BLOCKED: isBlocked, PATIENCE};
}

/** Pipeline constants of kernels with software float64. */
export function exactOverrides(
  {overrides}: GpuGrid,
  {hasWholeCells}: DenseGridBuffers,
): GpuGrid['overrides'] & {readonly HAS_WHOLE_CELLS: boolean} {
  return {...overrides, HAS_WHOLE_CELLS: hasWholeCells};
}
