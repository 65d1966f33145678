import {describeRow} from './describeRow.ts';

// The row's own run has the directory.
describeRow('dclust', [
  {backend: 'gpu', options: {index: 'none'}, cases: ({dim}, number) => dim > 4 || number % 25 === 0},
  {backend: 'gpu', options: {pca: 'on', fanout: 5}, cases: ({dim}, number) => dim > 1 && number % 80 === 3},
]);
