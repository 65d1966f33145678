import {describeReadme} from '@epsball/conformance/suite';
import * as shapes from '../src/index.ts';

describeReadme(new URL('../README.md', import.meta.url), {modules: {'@epsball/shapes': shapes}});
