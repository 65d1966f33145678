import {describeRow} from './describeRow.ts';

// At default options the index is the grid up to 4 dimensions, and all pairs beyond. The variations test all pairs in
// few dimensions, and chunks of edges.
describeRow('gdbscan', [
  {backend: 'gpu', options: {index: 'none'}},
  // The paper's setting.
  {backend: 'gpu', options: {index: 'none', searches: 'one'}},
  {backend: 'gpu', options: {index: 'grid', searches: 'one'}, maxDim: 4},
  {backend: 'gpu', options: {edgeBytes: 17_408}},
  {backend: 'gpu', limits: 'default', part: 1 / 16},
]);
