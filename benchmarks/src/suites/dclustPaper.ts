import {REFERENCE} from '../dbscan/plan.ts';
import type {PublishedFigure, Subject} from '../dbscan/suite.ts';

export const SOURCE =
  'C. Böhm, R. Noll, C. Plant, B. Wackersreuther, “Density-based clustering using graphics processors”, CIKM’09';

export const PLAIN_CPU: Subject = {...REFERENCE, options: {index: 'none'}};
export const PLAIN_GPU: Subject = {row: 'dclust', backend: 'gpu', options: {index: 'none'}};
export const STAR_GPU: Subject = {row: 'dclust', backend: 'gpu', options: {index: 'directory'}};
/** Times every kernel by itself. The host polls more often, so this subject is slower. */
export const TIMED_GPU: Subject = {row: 'dclust', backend: 'gpu', options: {index: 'directory', kernelTimes: 'on'}};
/** The paper's code on the CPU has its directory in any dimension, where ours would take a grid up to four. */
export const STAR_CPU: Subject = {...REFERENCE, options: {index: 'directory'}};

const PAPER_CPU = 'Intel Core 2 Duo E4500, 2.2 GHz';
const PAPER_GPU = 'NVIDIA GeForce GTX280';
const PAPER_BOTH = `${PAPER_GPU} over ${PAPER_CPU}`;

/** Table 1 as printed: points, dimensions, the index, the rest of the run, and their quotient. */
const TABLE_1: readonly (readonly [n: number, dim: number, index: string, gpu: string, share: string])[] = [
  [65_000, 8, '0.1 s', '2.2 s', '4.5 %'],
  [130_000, 8, '0.2 s', '5.8 s', '3.4 %'],
  [260_000, 8, '0.4 s', '16.5 s', '2.4 %'],
  [260_000, 16, '0.6 s', '38.6 s', '1.6 %'],
  [260_000, 32, '1.0 s', '45.9 s', '2.2 %'],
  [260_000, 64, '1.8 s', '111.6 s', '1.6 %'],
  [520_000, 8, '0.8 s', '52.1 s', '1.5 %'],
  [1_000_000, 8, '1.7 s', '182.4 s', '0.9 %'],
  [2_000_000, 8, '3.6 s', '681.8 s', '0.5 %'],
];

/** A row of Table 1. */
export interface DclustTableRow {
  readonly n: number;
  readonly dim: number;
  readonly indexMs: number;
  /** The run without the construction of the index. */
  readonly gpuMs: number;
  /** Points, dimensions, index, GPU and quotient as printed. */
  readonly printed: readonly string[];
}

/** Table 1, as printed and in milliseconds. */
export const dclustTable: readonly DclustTableRow[] = TABLE_1.map(([n, dim, index, gpu, share]) => ({
  n,
  dim,
  indexMs: 1000 * Number.parseFloat(index),
  gpuMs: 1000 * Number.parseFloat(gpu),
  printed: [n < 1_000_000 ? `${n / 1000}k` : `${n / 1_000_000}m`, String(dim), index, gpu, share],
}));

export const NOTES: readonly string[] = [
  'The paper’s data is not published. Ours has 20 Gaussian clusters too. Their width shrinks with the dimensions, so that eps = 0.05 gives clusters in every dimension.',
  'The reference, sequential, has the quantile directory as its index beyond four dimensions: the paper’s indexed DBSCAN on the CPU. A time is a whole run, the index and all transfers included. The paper states the time of its index separately, and so does the table of index construction.',
  'The curves of Figures 7 and 8 are not legible in the available text. The paper’s numbers here are stated in words or in Table 1.',
];

/** A number that the text states, beside one of our subjects. */
export function stated(
  quantity: PublishedFigure['quantity'],
  subject: Subject,
  {n, dim, minPts}: {readonly n: number; readonly dim?: number; readonly minPts?: number},
  value: number,
  printed: string,
  where: string,
): PublishedFigure {
  const machine =
    quantity === 'speedUp' ? PAPER_BOTH : subject.backend === 'gpu' || quantity !== 'time' ? PAPER_GPU : PAPER_CPU;
  const over = quantity === 'speedUp' ? overOf(subject) : undefined;
  return {
    subject,
    over,
    quantity,
    n,
    dim,
    minPts,
    value,
    printed,
    machine,
    reading: 'stated in the text',
    where: `section ${where}`,
  };
}

/** The paper compares CUDA-DClust with DBSCAN without an index, CUDA-DClust* with DBSCAN with the same index. */
function overOf(subject: Subject): Subject {
  return subject === PLAIN_GPU ? PLAIN_CPU : REFERENCE;
}

/** Rows of Table 1: the run without its index, the index, and their quotient. */
export function table1(wanted: (row: {readonly n: number; readonly dim: number}) => boolean): PublishedFigure[] {
  return TABLE_1.filter(([n, dim]) => wanted({n, dim})).flatMap(([n, dim, index, gpu, share]) => [
    stated('timeWithoutIndex', STAR_GPU, {n, dim}, 1000 * Number.parseFloat(gpu), gpu, '7.6, Table 1'),
    {
      ...stated('indexTime', STAR_GPU, {n, dim}, 1000 * Number.parseFloat(index), index, '7.6, Table 1'),
      machine: PAPER_CPU,
    },
    {
      ...stated('indexShare', STAR_GPU, {n, dim}, Number.parseFloat(share) / 100, share, '7.6, Table 1'),
      machine: `${PAPER_CPU} over ${PAPER_GPU}`,
    },
  ]);
}
