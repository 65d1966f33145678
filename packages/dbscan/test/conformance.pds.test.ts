import {describeRow} from './describeRow.ts';

describeRow('pds');
