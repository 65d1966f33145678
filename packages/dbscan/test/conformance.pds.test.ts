import {describeRow} from './describeRow.ts';

// Unions and partitions in full: `packages/dbscan-pds/test`. Here: that the catalogue passes them on.
describeRow('pds', [
  {backend: 'sequential', options: {index: 'none'}},
  {backend: 'workers', threads: 3, options: {index: 'none', union: 'lock', partition: 'index', pointsPerChunk: 1}},
]);
