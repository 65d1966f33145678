import {describeReadme} from '@epsball/conformance/suite';
import * as dynamic from '../src/index.ts';

describeReadme(new URL('../README.md', import.meta.url), {modules: {'@epsball/dbscan-dynamic': dynamic}});
