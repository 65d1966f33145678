import {describeRow} from './describeRow.ts';

// All pairs in few dimensions, and chunks of some hundred edges, so that threads meet in small cases; over a grid few cases have more edges.
describeRow('hybrid', [
  {backend: 'gpu', threads: 3, options: {index: 'none'}},
  {
    backend: 'gpu',
    threads: 3,
    options: {index: 'grid', edgeBytes: 4096},
    maxDim: 4,
    // One point's neighbours of the others are more than 4096 bytes, which is refused by name.
    takes: ({name}) => !/^a level of (1100|4200) /.test(name),
  },
  {backend: 'gpu', threads: 1, options: {index: 'auto'}},
]);
