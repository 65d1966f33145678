import {describeRow} from './describeRow.ts';

describeRow('dense-grid');
