import type {Precision} from '@epsball/datasets';
import type {Dbscan} from '@epsball/dbscan';

/**
 * Opens threads and pipelines while the file is read, if the file says how many points it has.
 *
 * @param opening  the instance, whose device may be on its way
 */
export async function warmUpFor(
  input: string,
  opening: Promise<Dbscan>,
  {dim, precision}: {readonly dim?: number | undefined; readonly precision: 'source' | Precision},
): Promise<void> {
  if (!input.toLowerCase().endsWith('.npy')) return;
  const {describeNpy} = await import('@epsball/datasets');
  try {
    const described = await describeNpy(input, dim, precision);
    const dbscan = await opening;
    await dbscan.warmUp(described.rowCount, described.dim);
  } catch {
    // The reader and the run report their errors.
  }
}
