import {describeRow} from './describeRow.ts';

// The row's own run takes the grid up to 4 dimensions and all pairs beyond; here are all pairs in few, and chunks of edges.
describeRow('gdbscan', [
  {
    backend: 'gpu',
    options: {index: 'none', frontier: 'queue'},
    cases: ({dim}, number) => dim <= 4 && number % 25 === 0,
  },
  // The paper's setting.
  {
    backend: 'gpu',
    options: {index: 'none', frontier: 'flags', searches: 'one'},
    cases: ({dim}, number) => dim <= 4 && number % 40 === 3,
  },
  {backend: 'gpu', options: {index: 'grid', searches: 'one'}, maxDim: 4, cases: (_, number) => number % 40 === 1},
  {backend: 'gpu', options: {edgeBytes: 17_408}, cases: (_, number) => number % 40 === 2},
]);
