import {describeRow} from './describeRow.ts';

// The row's own run takes the grid up to 4 dimensions and the directory beyond; here are all pairs, and the directory.
describeRow('sequential', [
  {backend: 'sequential', options: {index: 'none'}},
  {backend: 'sequential', options: {index: 'directory'}, part: 1},
  {backend: 'sequential', options: {index: 'directory', levels: 2, fanout: 3, pca: 'on'}},
]);
