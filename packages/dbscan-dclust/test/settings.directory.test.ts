import {describeSettings} from './describeSettings.ts';

describeSettings('directory');
