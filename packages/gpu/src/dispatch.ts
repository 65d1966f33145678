/** Workgroup counts on three axes, each within the device's limit. */
export type WorkgroupCounts = readonly [x: number, y: number, z: number];

/** The default of `maxComputeWorkgroupsPerDimension`, and the value of all adapters tested so far. */
export const DISPATCH_LIMIT = 65_535;

/**
 * Folds a linear workgroup count into two or three dimensions. Kernels unfold it with `gpu::dispatch::workgroupNumber`.
 * The product may exceed `count`, so kernels also check their bounds.
 *
 * @param count  workgroups, 0 … limit³
 * @param limit  `maxComputeWorkgroupsPerDimension`; tests pass a small one
 */
export function foldDispatch(count: number, limit: number = DISPATCH_LIMIT): WorkgroupCounts {
  if (count <= limit) return [count, 1, 1];
  const rows = Math.ceil(count / limit);
  if (rows <= limit) return [Math.ceil(count / rows), rows, 1];
  const layers = Math.ceil(rows / limit);
  return [limit, Math.ceil(count / (limit * layers)), layers];
}
