/**
 * By dimension: the mean number of candidates per point (`estimateCandidates`) from which `pds` is faster than
 * `sequential` on the calling thread.
 *
 * Measured on 24 November 2026 on one core of an Intel Xeon server (2 virtual cores), Node 24: 2000 and 20,000 points,
 * uniform and in 10 Gaussians, minPts 5, medians of 7 to 301 runs in turn. With few candidates `sequential` is up to
 * 2.4 times as fast. With 320 candidates `pds` is 11 times as fast in 1-D, 7 in 2-D, 4 in 3-D and 1.6 in 4-D, and the
 * gap grows with the candidates.
 */
export const SEQUENTIAL_CANDIDATES_MAX: readonly number[] = [0, 25, 45, 90, 160];
