import type {Precision} from '@epsball/datasets';
import type {Dbscan} from '@epsball/dbscan';

/** Opens device or threads while the file is read, if the file says how many points it has. */
export async function warmUpFor(
  input: string,
  dbscan: Dbscan,
  {dim, precision}: {readonly dim?: number | undefined; readonly precision: 'source' | Precision},
): Promise<void> {
  if (!input.toLowerCase().endsWith('.npy')) return;
  const {describeNpy} = await import('@epsball/datasets');
  try {
    const described = await describeNpy(input, dim, precision);
    await dbscan.warmUp(described.rowCount, described.dim);
  } catch {
    // The reader and the run report their errors.
  }
}
