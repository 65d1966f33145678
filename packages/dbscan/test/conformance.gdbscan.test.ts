import {describeRow} from './describeRow.ts';

// The row's own run takes the grid up to 4 dimensions and all pairs beyond; here are all pairs in few, and chunks of edges.
describeRow('gdbscan', [
  {backend: 'gpu', options: {index: 'none', frontier: 'queue'}},
  // The paper's setting.
  {backend: 'gpu', options: {index: 'none', frontier: 'flags', searches: 'one'}},
  {backend: 'gpu', options: {index: 'grid', searches: 'one'}, maxDim: 4},
  {backend: 'gpu', options: {edgeBytes: 17_408}},
]);
