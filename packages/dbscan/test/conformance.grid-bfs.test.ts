import {describeRow} from './describeRow.ts';

describeRow('grid-bfs');
