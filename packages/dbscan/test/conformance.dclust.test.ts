import {describeRow} from './describeRow.ts';

// The row's own run has no directory, because all cases are small.
describeRow('dclust', [
  {backend: 'gpu', options: {fanout: 16}, cases: ({dim}, number) => dim > 4 || number % 3 === 0},
  {backend: 'gpu', options: {pca: 'on', fanout: 5}, cases: ({dim}, number) => dim > 1 && number % 80 === 3},
]);
