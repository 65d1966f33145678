import {describeRow} from './describeRow.ts';

describeRow('dense-grid', [{backend: 'gpu', limits: 'default', part: 1 / 16}]);
