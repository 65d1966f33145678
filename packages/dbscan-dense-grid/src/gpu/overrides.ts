import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import type {DenseGridBuffers} from './runBuffers.ts';

type Overrides = Omit<GpuGrid['overrides'], 'IS_WIDE'> & {readonly HAS_WHOLE_CELLS: boolean};

/** Pipeline constants of kernels that never look at float64 words. */
export function gridOverrides({overrides}: GpuGrid, {hasWholeCells}: DenseGridBuffers): Overrides {
  const {IS_WIDE: _, ...narrow} = overrides;
  return {...narrow, HAS_WHOLE_CELLS: hasWholeCells};
}

/** Pipeline constants of kernels that do. */
export function exactOverrides(
  {overrides}: GpuGrid,
  {hasWholeCells}: DenseGridBuffers,
): GpuGrid['overrides'] & {readonly HAS_WHOLE_CELLS: boolean} {
  return {...overrides, HAS_WHOLE_CELLS: hasWholeCells};
}
