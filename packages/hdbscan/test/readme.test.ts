import {describeReadme} from '@epsball/conformance/suite';
import * as hdbscan from '@epsball/hdbscan';

describeReadme(new URL('../README.md', import.meta.url), {modules: {'@epsball/hdbscan': hdbscan}});
