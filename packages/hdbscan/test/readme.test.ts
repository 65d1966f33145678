import {describeReadme} from '@epsball/conformance/suite';
import * as hdbscan from '@epsball/hdbscan';
import * as predict from '@epsball/predict';

describeReadme(new URL('../README.md', import.meta.url), {
  modules: {'@epsball/hdbscan': hdbscan, '@epsball/predict': predict},
});
