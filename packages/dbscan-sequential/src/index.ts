export {createSequentialDbscan, type SequentialDbscanOptions} from './sequentialDbscan.ts';
