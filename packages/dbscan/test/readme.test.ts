import * as clustering from '@epsball/clustering';
import {describeReadme} from '@epsball/conformance/suite';
import * as dbscan from '../src/index.ts';
import * as suggest from '../src/suggest/index.ts';
import * as turf from '../src/turf/index.ts';

const reusable = await dbscan.createDbscan({backend: 'sequential'});

describeReadme(new URL('../README.md', import.meta.url), {
  modules: {
    '@epsball/dbscan': dbscan,
    '@epsball/dbscan/suggest': suggest,
    '@epsball/dbscan/turf': turf,
    '@epsball/clustering': clustering,
  },
  names: {...dbscan, points: {coords: Float64Array.of(0, 0, 1, 0, 9, 9), dim: 2}, eps: 1, minPts: 2, n: 3, reusable},
  skip: /device|'gpu'/,
});

describeReadme(new URL('../../../README.md', import.meta.url), {modules: {'@epsball/dbscan': dbscan}});
