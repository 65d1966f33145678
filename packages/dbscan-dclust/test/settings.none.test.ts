import {describeSettings} from './describeSettings.ts';

describeSettings('none');
