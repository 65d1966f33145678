import {describeRow} from './describeRow.ts';

// The row's own run takes the grid up to 4 dimensions and the directory beyond; here are all pairs, and the directory.
describeRow('sequential', [
  {backend: 'sequential', options: {index: 'none'}},
  {backend: 'sequential', options: {index: 'directory'}, cases: (_, number) => number % 3 === 0},
  {backend: 'sequential', options: {index: 'directory', levels: 2, fanout: 3, pca: 'on'}},
]);
