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

/** Table 1: points, dimensions, and in seconds what the index and the rest of the run took. */
const TABLE_1: readonly (readonly [n: number, dim: number, index: number, gpu: number, share: number])[] = [
  [65_000, 8, 0.1, 2.2, 0.045],
  [130_000, 8, 0.2, 5.8, 0.034],
  [260_000, 8, 0.4, 16.5, 0.024],
  [260_000, 16, 0.6, 38.6, 0.016],
  [260_000, 32, 1, 45.9, 0.022],
  [260_000, 64, 1.8, 111.6, 0.016],
  [520_000, 8, 0.8, 52.1, 0.015],
  [1_000_000, 8, 1.7, 182.4, 0.009],
  [2_000_000, 8, 3.6, 681.8, 0.005],
];

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
    stated('timeWithoutIndex', STAR_GPU, {n, dim}, 1000 * gpu, '7.6, Table 1'),
    {...stated('indexTime', STAR_GPU, {n, dim}, 1000 * index, '7.6, Table 1'), machine: PAPER_CPU},
    {...stated('indexShare', STAR_GPU, {n, dim}, share, '7.6, Table 1'), machine: `${PAPER_CPU} over ${PAPER_GPU}`},
  ]);
}
