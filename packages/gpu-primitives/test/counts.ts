import {SHARE, shareOf} from '@epsball/conformance/share';
import type {AdapterKind, Gpu} from '@epsball/gpu';

/** Words per tile or workgroup, in all kernels; multiples of the 256 invocations. */
const TILES = [64, 768, 1024, 1792, 2048, 4096, 4608, 8192];

const around = (count: number): number[] => [count - 1, count, count + 1];

/**
 * The share of the counts around every boundary of a kernel: zero, one, a workgroup, a tile; and several workgroups
 * with a remainder. Zero, one and the counts around a workgroup belong to every share.
 */
export const COUNTS: readonly number[] = shareOf([0, 1, 2, 5, ...around(256), ...TILES.flatMap(around), 70_001], {
  of: 'counts',
  nameOf: String,
  isKept: (count) => [0, 1, ...around(256), 70_001].includes(count),
});

/** The counts above; on SwiftShader, which is slow, only those around the operation's own tile. */
export function countsFor(gpu: Gpu, operation: keyof typeof COSTS): readonly number[] {
  if (gpu.info.kind !== 'bundled') return COUNTS;
  const {tile} = COSTS[operation];
  return [0, 1, 2, ...around(256), ...around(tile), 3 * tile + 77];
}

/** Cost and shape of an operation, which determine its large counts. */
export interface Cost {
  /** Words per tile, or per smallest workgroup, on SwiftShader. */
  readonly tile: number;
  /** Number of elements from which a workgroup takes a second tile, or its scan of tiles a second round. */
  readonly secondTile: number;
  /** Measured seconds per million elements. Hardware runs all counts. */
  readonly bundled: number;
  readonly software: number;
}

/** Measured on two cores; SwiftShader is slow for kernels with barriers. */
export const COSTS = {
  reduce: {tile: 8192, secondTile: 2048 * 8192, bundled: 0.1, software: 0.03},
  argReduce: {tile: 8192, secondTile: 2048 * 8192, bundled: 0.15, software: 0.03},
  scan: {tile: 64, secondTile: 256 * 64, bundled: 0.15, software: 0.02},
  compact: {tile: 64, secondTile: 256 * 64, bundled: 0.15, software: 0.02},
  histogram: {tile: 4096, secondTile: 1024 * 4096, bundled: 0.05, software: 0.05},
  gather: {tile: 1024, secondTile: 65_535 * 1024, bundled: 0.1, software: 0.03},
  runBounds: {tile: 256, secondTile: 65_535 * 256, bundled: 0.1, software: 0.03},
  runLength: {tile: 64, secondTile: 2048 * 768, bundled: 0.6, software: 0.1},
  reduceByKey: {tile: 64, secondTile: 2048 * 768, bundled: 0.6, software: 0.1},
  segmentedScan: {tile: 64, secondTile: 2048 * 768, bundled: 0.6, software: 0.1},
  sort: {tile: 64, secondTile: 256 * 64, bundled: 2, software: 0.2},
} as const satisfies Record<string, Cost>;

/** Maximum total seconds for the large counts of an operation, where all tests run. */
const MOST_SECONDS: Readonly<Record<AdapterKind, number>> = {
  bundled: 3,
  'system-software': 6,
  hardware: Number.POSITIVE_INFINITY,
};

/**
 * Large counts of an operation: more than a million, more than one tile per workgroup, more than 65535 workgroups of
 * 256, 2^24, and on hardware 2^28 + 5. Writes the counts that this adapter skips, because it is too slow, to stderr.
 */
export function largeCounts(gpu: Gpu, operation: keyof typeof COSTS): number[] {
  const cost: Cost = COSTS[operation];
  const {kind} = gpu.info;
  const bindable = gpu.device.limits.maxStorageBufferBindingSize / 4;
  const wanted = [2 ** 20 + 3, cost.secondTile + 1, 65_535 * 256 + 1, 2 ** 24];
  const counts = [...new Set(wanted)].filter((count) => count <= bindable);
  if (kind === 'hardware') return [...counts, 2 ** 28 + 5];
  // A share of the tests takes the smallest count, and others while they are quick.
  const most = MOST_SECONDS[kind] * Math.min(1, 2 * SHARE);
  let seconds = 0;
  const allowed = counts.filter((count, k) => {
    const takes = (count / 1e6) * (kind === 'bundled' ? cost.bundled : cost.software);
    if (k > 0 && seconds + takes > most) return false;
    seconds += takes;
    return true;
  });
  const left = [...counts.filter((count) => !allowed.includes(count)), '2^28 + 5'];
  process.stderr.write(
    `${operation}: counts ${left.join(', ')} are left to faster adapters than ${kind}, or to a larger share\n`,
  );
  return allowed;
}
