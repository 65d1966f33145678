import {describeRow} from './describeRow.ts';

// The row's own run takes the grid where it can; here are all pairs in few dimensions.
describeRow('sequential', [{backend: 'sequential', options: {index: 'none'}}]);
