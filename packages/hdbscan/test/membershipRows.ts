import type {Memberships} from '@epsball/hdbscan';

/** Memberships in all clusters, by label. */
export function rowsOf({start, clusters, values}: Memberships): number[][] {
  return Array.from({length: start.length - 1}, (_, i) => {
    const row: number[] = [];
    for (let k = start[i]; k < start[i + 1]; k++) row[clusters[k]] = values[k];
    return row;
  });
}
