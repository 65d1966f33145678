import type {Subject} from '../cell.ts';

const ALL_PAIRS = {index: 'none'} as const;

/** The variant whose labels every other cell has, unless its suite or workload says otherwise. */
export const SEQUENTIAL: Subject = {row: 'sequential', backend: 'sequential'};
export const SEQUENTIAL_ALL_PAIRS: Subject = {...SEQUENTIAL, options: ALL_PAIRS};
/** The code of Milanesi's document. */
export const GRID_BFS: Subject = {row: 'grid-bfs', backend: 'sequential'};
export const GRID_BFS_GPU: Subject = {row: 'grid-bfs', backend: 'gpu'};
/** The codes of the course report: ds-seq, ds-shm, gdbscan and hybrid. */
export const DS_SEQ: Subject = {row: 'pds', backend: 'sequential'};
export const DS_SEQ_ALL_PAIRS: Subject = {...DS_SEQ, options: ALL_PAIRS};
export const GDBSCAN: Subject = {row: 'gdbscan', backend: 'gpu'};
export const GDBSCAN_ALL_PAIRS: Subject = {...GDBSCAN, options: ALL_PAIRS};
/** The codes of CUDA-DClust. Its CPU code has its directory in any dimension, where ours takes a grid up to four. */
export const DCLUST: Subject = {row: 'dclust', backend: 'gpu', options: ALL_PAIRS};
export const DCLUST_STAR: Subject = {row: 'dclust', backend: 'gpu', options: {index: 'directory'}};
/** Times every kernel by itself. The host polls more often, so this subject is slower. */
export const DCLUST_TIMED: Subject = {row: 'dclust', backend: 'gpu', options: {index: 'directory', kernelTimes: 'on'}};
export const SEQUENTIAL_DIRECTORY: Subject = {...SEQUENTIAL, options: {index: 'directory'}};
/** Our best codes. */
export const DENSE_GRID_GPU: Subject = {row: 'dense-grid', backend: 'gpu'};
/** From device memory to device memory. */
export const DENSE_GRID_ON_DEVICE: Subject = {...DENSE_GRID_GPU, options: {memory: 'device'}};
export const DENSE_GRID: Subject = {row: 'dense-grid', backend: 'sequential'};
export const DENSE_GRID_16: Subject = {row: 'dense-grid', backend: 'workers', threads: 16};

export function dsShm(threads: number, options: Subject['options'] = {}): Subject {
  return {row: 'pds', backend: 'workers', threads, options};
}
export function dsShmAllPairs(threads: number): Subject {
  return dsShm(threads, ALL_PAIRS);
}
export function hybrid(threads: number, options: Subject['options'] = {}): Subject {
  return {row: 'hybrid', backend: 'gpu', threads, options};
}
export function hybridAllPairs(threads: number): Subject {
  return hybrid(threads, ALL_PAIRS);
}

/** Versions of the document on mean shift: all iterations over all pairs. */
export const SHIFT: Subject = {row: 'shift', backend: 'sequential'};
export const SHIFT_NAIVE: Subject = {row: 'shift', backend: 'gpu', options: {method: 'naive'}};
export function shiftWorkers(threads: number): Subject {
  return {row: 'shift', backend: 'workers', threads};
}
/** @param width  TILE_WIDTH. Default: 256, where the document names none */
export function shiftTiled(width = 256): Subject {
  return {row: 'shift', backend: 'gpu', options: {method: 'tiled', tileWidth: width}};
}
