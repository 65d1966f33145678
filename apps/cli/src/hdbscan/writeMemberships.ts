import {writeNpyRows, writeTable, type WriteOptions} from '@epsball/datasets';
import type {HdbscanResult, Memberships} from '@epsball/hdbscan';

/**
 * Writes memberships: a table with a row for each pair of a point and a cluster whose membership is not 0; as `.npy` an
 * n × k array, column by label, with 0 for the clusters that are not among the top ones of a point.
 */
export async function writeMemberships(
  file: string,
  {start, clusters, values}: Memberships,
  {
    labels,
    clusterCount,
    rows,
    n = labels.length,
  }: Pick<HdbscanResult, 'labels' | 'clusterCount'> & {
    /** The row of each point, ascending, among n. Default: its index. */
    readonly rows?: Int32Array | undefined;
    readonly n?: number | undefined;
  },
  options: WriteOptions,
): Promise<void> {
  if (file.toLowerCase().endsWith('.npy')) {
    let point = 0;
    const fill = (at: number, row: Float64Array): void => {
      if (rows !== undefined && rows[point] !== at) return;
      const i = point++;
      for (let k = start[i]; k < start[i + 1]; k++) row[clusters[k]] = values[k];
    };
    return writeNpyRows(file, [n, clusterCount], fill, options);
  }
  const count = values.reduce((sum, value) => sum + Number(value > 0), 0);
  const table = {row: new Int32Array(count), cluster: new Int32Array(count), membership: new Float64Array(count)};
  let at = 0;
  for (let i = 0; i < labels.length; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) {
      if (values[k] === 0) continue;
      table.row[at] = rows === undefined ? i : rows[i];
      table.cluster[at] = clusters[k];
      table.membership[at++] = values[k];
    }
  }
  await writeTable(file, table, options);
}
