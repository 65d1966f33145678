import {describeReadme} from '@epsball/conformance/suite';
import * as hdbscan from '@epsball/hdbscan';

const modules = {'@epsball/hdbscan': hdbscan};

describeReadme(new URL('../README.md', import.meta.url), {modules});
describeReadme(new URL('../../../apps/docs/pages/hdbscan.md', import.meta.url), {modules});
