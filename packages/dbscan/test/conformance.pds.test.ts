import {describeRow} from './describeRow.ts';

// `packages/dbscan-pds/test` tests all unions and partitions. These variations test that the catalogue passes them on.
describeRow('pds', [
  {backend: 'sequential', options: {index: 'none'}},
  {backend: 'sequential', options: {index: 'tree'}, maxDim: 64, metrics: ['euclidean']},
  {backend: 'workers', threads: 3, options: {index: 'tree', pointsPerChunk: 1}, maxDim: 64, metrics: ['euclidean']},
  {backend: 'workers', threads: 3, options: {index: 'none', union: 'lock', partition: 'index', pointsPerChunk: 1}},
]);
