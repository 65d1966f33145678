import {describeRow} from './describeRow.ts';

// All pairs in few dimensions, and chunks of some hundred edges, so that threads meet in small cases; over a grid few cases have more edges.
describeRow('hybrid', [
  {backend: 'gpu', threads: 3, options: {index: 'none'}, cases: ({dim}, number) => dim < 5 && number % 40 === 0},
  {backend: 'gpu', threads: 3, options: {index: 'grid', edgeBytes: 4096}, maxDim: 4},
  {backend: 'gpu', threads: 1, options: {index: 'auto'}, cases: (_, number) => number % 40 === 4},
]);
