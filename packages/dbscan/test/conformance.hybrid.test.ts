import {describeRow} from './describeRow.ts';

// All pairs in few dimensions have many edges, and chunks of some hundred edges let threads meet in small cases.
describeRow('hybrid', [
  {backend: 'gpu', threads: 3, options: {index: 'none'}},
  {
    backend: 'gpu',
    threads: 3,
    options: {index: 'grid', edgeBytes: 4096},
    maxDim: 4,
    // One row of these graphs exceeds 4096 bytes, which the variant rejects.
    takes: ({name}) => !/^a level of (1100|4200) /.test(name),
  },
  {backend: 'gpu', threads: 1, options: {index: 'auto'}},
  {backend: 'gpu', threads: 2, limits: 'default', part: 1 / 16},
]);
