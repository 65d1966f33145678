import {describeReadme} from '@epsball/conformance/suite';
import * as suggest from '../src/index.ts';

const points = Array.from({length: 80}, (_, k) => [(k % 8) / 9 + (k < 40 ? 0 : 50), Math.floor(k / 8) / 9]);

describeReadme(new URL('../README.md', import.meta.url), {modules: {'@epsball/suggest': suggest}, names: {points}});
