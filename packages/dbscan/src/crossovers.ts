// What `auto` knows about machines. `pnpm --filter @epsball/benchmarks choose` measures and prints all of it.
// Processors: 24 November 2026, AMD EPYC, 2 virtual cores, Node 24.
// GPU: NVIDIA H200 before that date, and H100 on 25 November.

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

/**
 * The first run of a process, where V8 compiles: `sequential` is one small loop, and `pds` takes 20 ms more for 1000
 * points and about 100 ms more for 100,000. So `sequential` is faster as long as all points together have at most this
 * many coordinates of candidates to test.
 *
 * Measured on 25 November 2026, `dbscan()` in new processes, medians of 9 in turn, AMD EPYC, 2 virtual cores,
 * `sequential` and `pds`: 186 and 287 ms for 100,000 points of `spots` in 2-D (1.0e7 coordinates), 274 and 376 in 3-D
 * (2.5e7), 167 and 249 for 10,000 of `gaussians` in 8-D with eps 0.05 (2.1e7); one run each: 357 and 197 with eps 0.1
 * (4.0e7), 2568 and 191 with eps 1 (8e8).
 */
export const COLD_CANDIDATE_COORDINATES = 3e7;

/** Coordinates of all pairs up to which this holds beyond 4 dimensions: an index may leave most pairs to test. */
export const COLD_PAIR_COORDINATES = 1e9;

/**
 * The mean number of candidates per point from which `dense-grid` replaces `pds` on processors. Up to there `pds` is up
 * to 1.5 times as fast; beyond, two crowded cells without a pair of neighbours may cost it the product of their points.
 */
export const CROWDED_CANDIDATES = 4096;

/** In 4 dimensions, where a cell by diagonal has 343 rows around it, also this share of all points. */
export const CROWDED_SHARE_4D: number = 1 / 8;

/** Nanoseconds per point of `pds` on the calling thread, by dimension; the last for all dimensions with a k-d tree. */
export const POINT_NS: readonly number[] = [0, 150, 330, 650, 1100, 12_000];

/**
 * With a k-d tree a point takes longer among more points: this power of n over `TREE_POINTS`, from there on.
 *
 * Measured on 26 November 2026, AMD EPYC, 2 virtual cores, `gaussians` in 8-D, `pds` on the calling thread: 8, 14 to 20
 * and 27 µs a point for 1000, 10,000 and 100,000 points.
 */
export const TREE_POINTS = 10_000;
export const TREE_GROWTH = 0.3;

/**
 * Milliseconds more that threads take over a tree: they do not divide its building, and their code is not compiled
 * after a few runs. Two threads took 14, 18 and 20 ms for 1000 points in 8-D, 32-D and 64-D, one 8, 9 and 15 (the
 * machine of `TREE_GROWTH`).
 */
export const TREE_THREADS_MS = 10;

/**
 * Candidates of a point from which points are dense, and the share of `POINT_NS` that these take: most lie in cells
 * whose points are core without a search. A million points of `milanesi`, which have 2300 candidates, take 189 to 199
 * ms, and sparse ones 370 to 775; `tweets`, which have 350, take 407 to 725 (the machine of `SEQUENTIAL_COLD_MS`).
 */
export const DENSE_CANDIDATES = 1000;
export const DENSE_SHARE = 0.55;

/**
 * Nanoseconds per pair and coordinate beyond the dimensions of a k-d tree, on the calling thread: from 0.06, where most
 * points are core (1000 points in 1536 dimensions take 94 ms), to 1.3, where few are and the machine is busy (2000 in
 * 384 take 2 s; 25 November 2026, Intel Xeon, 2 virtual cores, Node 24).
 */
export const PAIR_COORDINATE_NS = 0.25;

/**
 * Milliseconds that the first run of a process adds on the calling thread: V8 compiles, and pages are touched first.
 *
 * This and the constants of cold threads and of a cold GPU: 25 November 2026, Intel Xeon, 16 virtual cores, and one
 * H100, `dbscan()` in new processes, 1000 to 1,000,000 points in 2-D and 3-D. One thread of `pds` took 96 to 263 ms for
 * 100,000 points, 35 to 106 when warm. 16 threads took 181 to 253 ms for 1000 points and, for 1,000,000, 370 to 770,
 * half to nine tenths of one thread's time. The GPU took 321 to 545 ms for any number.
 */
export const SEQUENTIAL_COLD_MS = 100;

/** Milliseconds until threads have started and loaded their tasks, in a process without them; and more for each. */
export const THREADS_START_MS = 110;
export const THREAD_START_MS = 5;

/**
 * Cold threads run uncompiled code, and V8's compilers take their processors: the share of the calling thread's time
 * that this adds, up to so many milliseconds of it. On two processors (AMD EPYC, busy) two threads of `pds` took as
 * long as one for 4,000,000 uniform 2-D points, 2.8 and 2.7 s, and longer for fewer.
 */
export const THREADS_COLD_SHARE = 0.7;
export const THREADS_COLD_WORK_MS = 1000;

/**
 * Milliseconds that the waves of a run add for each thread, with threads that are warm, and milliseconds more over a
 * grid, where V8 compiles for some dozens of runs.
 *
 * Measured on 26 November 2026 (`benchmarks/notes/front-door.md`): medians of runs 2 to 8 and of runs 41 to 60 of new
 * kept instances, 10,000 to 100,000 points in 2-D to 4-D, on two processors (AMD EPYC) and on 16 (Intel Xeon). For
 * 10,000 points the first runs of as many threads as processors take 20 to 30 ms more than one thread, and later ones
 * are level on two processors and 2 to 9 ms faster on 16. So the constants leave 10,000 points to one thread, and take
 * threads from where one thread would be outside the bound of `choose` in later runs: 30,000 points in 3-D and 50,000
 * in 2-D on two processors, 20,000 and 50,000 on 16.
 */
export const THREAD_RUN_MS = 0.45;
export const GRID_THREADS_MS = 4;

/** Speedup that each further thread adds, if there is a processor for it. */
export const THREAD_GAIN = 0.75;

/** Milliseconds until a GPU is open and its kernels are compiled. */
export const GPU_START_MS = 400;

/** Milliseconds of a run on an open GPU beside the points. */
export const GPU_RUN_MS = 2;

/** Nanoseconds per coordinate on an open GPU in up to 4 dimensions, transfers included. */
export const GPU_COORDINATE_NS = 4;

/** Nanoseconds per point beyond 4 dimensions. */
export const GPU_POINT_NS = 70;

/** The same on an open GPU: twice the 12 ms that 2^34 pairs in 2-D take an H200, once to count and once to write. */
export const GPU_PAIR_COORDINATE_NS = 0.0007;

/**
 * Number of points from which a kept instance looks for a hardware GPU, in up to 4 dimensions and beyond.
 *
 * Where there is none, the search takes a few hundred milliseconds, once. Where there is one, 10,000 points in 2-D take
 * it 1.3 to 1.8 ms, and the calling thread 4 to 15; 1000 points in 8, 32 and 64 dimensions take 2.0 to 3.6 ms, and 8 to
 * 16 (the machine of `SEQUENTIAL_COLD_MS`).
 */
export const GPU_PAYS_FROM = 10_000;
export const GPU_PAYS_FROM_WIDE = 1000;
