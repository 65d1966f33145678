import {describeRow} from './describeRow.ts';

describeRow('sequential');
