import {describeRow} from './describeRow.ts';

// At default options the index is the grid up to 4 dimensions, and the directory beyond.
describeRow('sequential', [
  {backend: 'sequential', options: {index: 'none'}},
  {backend: 'sequential', options: {index: 'directory'}, part: 1},
  // Principal components of 1536 dimensions take ten seconds.
  {
    backend: 'sequential',
    options: {index: 'directory', levels: 2, fanout: 3, pca: 'on'},
    takes: ({dim}) => dim <= 64,
  },
]);
