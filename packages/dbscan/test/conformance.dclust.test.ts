import {describeRow} from './describeRow.ts';

// The row's own run has no directory, because all cases are small.
describeRow('dclust', [
  {backend: 'gpu', options: {fanout: 16}, part: 1},
  {backend: 'gpu', options: {pca: 'on', fanout: 5}},
]);
