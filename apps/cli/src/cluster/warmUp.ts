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
  const {readPoints} = await import('@epsball/datasets');
  try {
    const described = await readPoints(input, {dim, precision, rows: []});
    const dbscan = await opening;
    await dbscan.warmUp(described.rowCount ?? 0, described.dim);
  } catch {
    // The reader and the run report their errors.
  }
}
