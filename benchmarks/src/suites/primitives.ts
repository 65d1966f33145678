import {operations, type OperationId} from '../primitives/operations.ts';
import type {PrimitiveFigure, PrimitiveSuite} from '../primitives/suite.ts';

const H200 = 'NVIDIA H200';

/** Other libraries on that machine, with our own timing of their calls. */
const PUBLISHED: readonly PrimitiveFigure[] = [
  ...figures('reduce-sum-f32', 'CUB 2.x', {24: 0.024, 28: 0.24}),
  ...figures('reduce-sum-f32', 'gridwise', {24: 0.306, 28: 'hangs'}),
  ...figures('scan-exclusive-u32', 'CUB 2.x', {20: 0.014, 24: 0.056, 28: 0.7}),
  ...figures('scan-exclusive-u32', 'gridwise', {20: 0.022, 24: 0.454, 28: 'hangs'}),
  ...figures('scan-exclusive-u32', 'b0nes', {20: 0.024, 24: 0.274}),
  ...figures('sort-pairs-u32', 'CUB 2.x', {20: 0.087, 24: 0.557, 28: 7.46}),
  ...figures('sort-pairs-u32', 'gridwise', {20: 0.217, 24: 10.9, 28: 'hangs'}),
];

/** Whose largest count takes seconds to make and to check. */
const LARGEST: readonly OperationId[] = ['reduce-sum-f32', 'scan-exclusive-u32', 'sort-pairs-u32', 'compact-u32'];

/** The building blocks beside JavaScript's own and a plain copy. */
export const primitives: PrimitiveSuite = {
  kind: 'primitives',
  id: 'primitives',
  title: 'GPU primitives',
  source: 'epsball: @epsball/gpu-primitives',
  reproduces:
    'Measures every operation by count, beside JavaScript’s own, a device copy of the same bytes, and what CUB and other WebGPU libraries did on an NVIDIA H200',
  operations,
  profiles: {
    quick: {
      counts: [2 ** 14, 2 ** 16],
      repeats: 5,
      settleSeconds: 0.03,
      cellSeconds: 0.1,
      runSeconds: 0.5,
      suiteSeconds: 60,
      softwareGpuMaxCount: 2 ** 20,
    },
    full: {
      counts: [2 ** 16, 2 ** 20, 2 ** 24],
      largest: {count: 2 ** 28, operations: LARGEST},
      repeats: 15,
      settleSeconds: 0.05,
      cellSeconds: 0.4,
      runSeconds: 3,
      suiteSeconds: 1800,
      softwareGpuMaxCount: 2 ** 24,
    },
  },
  published: PUBLISHED,
  notes: [
    'GB/s counts only the bytes that any implementation has to move: each input read once, each output written once. The share compares it with a copy kernel that moves as many bytes, in the same process and in turn with the operation.',
    'Device time is the mean time of a call in a batch between two timestamps, with pipelines compiled and buffers on the device. JavaScript’s time is a whole run on typed arrays, on one thread.',
    'Repeats follow each other, so small inputs come from the adapter’s cache, for the copy and for the operation.',
  ],
  credits: [],
};

/** Figures of one library, by the power of two of the count. */
function figures(
  operation: OperationId,
  library: string,
  byPower: Readonly<Record<number, PrimitiveFigure['outcome']>>,
): PrimitiveFigure[] {
  return Object.entries(byPower).map(([power, outcome]) => ({
    operation,
    count: 2 ** Number(power),
    library,
    outcome,
    machine: H200,
    where: 'measured before this repository',
  }));
}
