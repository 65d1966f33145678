import {describeRow} from './describeRow.ts';

describeRow('grid-bfs', [{backend: 'gpu', limits: 'default', part: 1 / 16}]);
