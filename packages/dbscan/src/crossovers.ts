// What `auto` knows about machines. `pnpm --filter @epsball/benchmarks choose` measures and prints all of it;
// benchmarks/notes/front-door.md has machines, dates and figures. Without a note: 24 November 2026, AMD EPYC, 2 virtual
// cores, Node 24.

/**
 * By dimension: the mean number of candidates per point (`estimateCandidates`) from which `pds` is faster than
 * `sequential` on the calling thread.
 */
export const SEQUENTIAL_CANDIDATES_MAX: readonly number[] = [0, 25, 45, 90, 160];

/**
 * In the first run of a process, where V8 compiles, `sequential` is faster as long as all points together have at most
 * this many coordinates of candidates to test: it is one small loop.
 */
export const COLD_CANDIDATE_COORDINATES = 3e7;

/** Coordinates of all pairs up to which this holds beyond 4 dimensions: an index may leave most pairs to test. */
export const COLD_PAIR_COORDINATES = 1e9;

/**
 * The mean number of candidates per point from which `dense-grid` replaces `pds` on processors. Up to there `pds` is up
 * to 1.5 times as fast; beyond, two crowded cells without a pair of neighbours may cost it the product of their points.
 */
export const CROWDED_CANDIDATES = 4096;

/** The same with times, where `pds` tests all pairs of crowded cells: at 850 it takes four times as long. */
export const CROWDED_CANDIDATES_IN_TIME = 256;

/** In 4 dimensions, where a cell by diagonal has 343 rows around it, also this share of all points. */
export const CROWDED_SHARE_4D: number = 1 / 8;

/** Nanoseconds per point of `pds` on the calling thread, by dimension; the last for all dimensions with a k-d tree. */
export const POINT_NS: readonly number[] = [0, 150, 330, 650, 1100, 12_000];

/** With a k-d tree a point takes longer among more points: this power of n over `TREE_POINTS`, from there on. */
export const TREE_POINTS = 10_000;
export const TREE_GROWTH = 0.3;

/** Milliseconds more that threads take over a tree: its building is not divided, and their code compiles later. */
export const TREE_THREADS_MS = 10;

/**
 * Candidates of a point from which points are dense, and the share of `POINT_NS` that these take: most lie in cells
 * whose points are core without a search.
 */
export const DENSE_CANDIDATES = 1000;
export const DENSE_SHARE = 0.55;

/**
 * Nanoseconds per pair and coordinate beyond the dimensions of a k-d tree, on the calling thread: measured from 0.06,
 * where most points are core, to 1.3, where few are.
 */
export const PAIR_COORDINATE_NS = 0.25;

/**
 * Milliseconds that the first run of a process adds on the calling thread: V8 compiles, and pages are touched first.
 *
 */
export const SEQUENTIAL_COLD_MS = 100;

/** Milliseconds until threads have started and loaded their tasks, in a process without them; and more for each. */
export const THREADS_START_MS = 110;
export const THREAD_START_MS = 5;

/**
 * Cold threads run uncompiled code, and V8's compilers take their processors: the share of the calling thread's time
 * that this adds, up to so many milliseconds of it.
 */
export const THREADS_COLD_SHARE = 0.7;
export const THREADS_COLD_WORK_MS = 1000;

/**
 * Milliseconds that the waves of a run add for each thread, with threads that are warm, and milliseconds more over a
 * grid, where V8 compiles for some dozens of runs.
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

/** Number of points from which a kept instance looks for a hardware GPU, in up to 4 dimensions and beyond. */
export const GPU_PAYS_FROM = 10_000;
export const GPU_PAYS_FROM_WIDE = 1000;
