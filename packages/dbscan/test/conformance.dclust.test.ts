import {describeRow} from './describeRow.ts';

// At default options no case is large enough for a directory.
describeRow('dclust', [
  {backend: 'gpu', options: {fanout: 16}, part: 1},
  {backend: 'gpu', options: {pca: 'on', fanout: 5}},
  {backend: 'gpu', limits: 'default', options: {fanout: 16}, part: 1 / 16},
]);
