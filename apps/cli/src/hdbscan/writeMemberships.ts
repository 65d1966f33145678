import {writeNpyRows, writeTable} from '@epsball/datasets';
import type {HdbscanResult, Memberships} from '@epsball/hdbscan';

/**
 * Writes memberships: a table with a row for each pair of a point and a cluster whose membership is not 0; as `.npy` an
 * n × k array, column by label, with 0 for the clusters that are not among the top ones of a point.
 */
export async function writeMemberships(
  file: string,
  {start, clusters, values}: Memberships,
  {labels, clusterCount}: Pick<HdbscanResult, 'labels' | 'clusterCount'>,
  signal: AbortSignal,
): Promise<void> {
  if (file.toLowerCase().endsWith('.npy')) {
    const fill = (i: number, row: Float64Array): void => {
      for (let k = start[i]; k < start[i + 1]; k++) row[clusters[k]] = values[k];
    };
    return writeNpyRows(file, [labels.length, clusterCount], fill, signal);
  }
  const count = values.reduce((sum, value) => sum + Number(value > 0), 0);
  const table = {row: new Int32Array(count), cluster: new Int32Array(count), membership: new Float64Array(count)};
  let at = 0;
  for (let i = 0; i < labels.length; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) {
      if (values[k] === 0) continue;
      table.row[at] = i;
      table.cluster[at] = clusters[k];
      table.membership[at++] = values[k];
    }
  }
  await writeTable(file, table, {signal});
}
