import type {
  Implementation,
  MeasuredPrimitiveCell,
  PrimitiveCell,
  PrimitiveProfile,
  PrimitiveResultFile,
} from '@epsball/benchmarks';
import {resultFile} from './reportFixture.ts';

/** Exactly two measured repeats; every count runs. */
export const TINY_PROFILE: PrimitiveProfile = {
  counts: [1, 300, 5000],
  repeats: 2,
  settleSeconds: 0,
  cellSeconds: 10,
  runSeconds: 60,
  suiteSeconds: 60,
  softwareGpuMaxCount: 2 ** 20,
};

/** A measured cell of `scan-exclusive-u32`: 8 bytes per element, on the device or, for JavaScript, on the host. */
export function scanCell(implementation: Implementation, count: number, ms: number): MeasuredPrimitiveCell {
  const timing = {allMs: [ms, ms], medianMs: ms, minMs: ms, spread: 0.1};
  return {
    operation: 'scan-exclusive-u32',
    element: 'u32',
    count,
    implementation,
    status: 'measured',
    bytes: 8 * count,
    verified: 'every word',
    device: implementation === 'javascript' ? null : timing,
    batch: 4,
    wall: implementation === 'copy' ? null : {...timing, medianMs: 10 * ms},
  };
}

/** Our cell has half of a copy's GB/s at 2^24 and is left out at 2^28, where the JavaScript cell failed. */
export const SCAN_CELLS: readonly PrimitiveCell[] = [
  scanCell('gpu', 2 ** 20, 0.02),
  scanCell('copy', 2 ** 20, 0.01),
  scanCell('gpu', 2 ** 24, 0.08),
  scanCell('copy', 2 ** 24, 0.04),
  gap(2 ** 28, 'gpu', {status: 'leftOut', reason: 'bytes of sums = 1; the adapter allows 0'}),
  scanCell('javascript', 2 ** 20, 1),
  scanCell('javascript', 2 ** 24, 20),
  gap(2 ** 28, 'javascript', {status: 'failed', error: 'out of memory'}),
];

type Gap = {readonly status: 'failed'; readonly error: string} | {readonly status: 'leftOut'; readonly reason: string};

function gap(count: number, implementation: Implementation, why: Gap): PrimitiveCell {
  return {operation: 'scan-exclusive-u32', element: 'u32', count, implementation, ...why};
}

export function primitiveResult(
  cells: readonly PrimitiveCell[] = SCAN_CELLS,
  changes: Partial<PrimitiveResultFile> = {},
): PrimitiveResultFile {
  return {...resultFile([]), kind: 'primitives', suite: 'primitives', cells, ...changes};
}
