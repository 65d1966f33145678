import type {Adapter, MeasuredCell, MemoryLimits} from '@epsball/benchmarks';

/**
 * Whether the host memory of a cell is held against the limit: not in small runs, and not on a software adapter, which
 * keeps device memory in the process.
 */
export function isHostCounted(cell: MeasuredCell, adapter: Adapter | null, limits: MemoryLimits): boolean {
  return cell.n >= limits.hostFromPoints && (cell.backend !== 'gpu' || adapter?.kind === 'hardware');
}
