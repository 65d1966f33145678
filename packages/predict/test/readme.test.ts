import {dbscanOracle} from '@epsball/clustering/definition';
import {describeReadme} from '@epsball/conformance/suite';
import {toPoints} from '@epsball/clustering';
import * as predict from '../src/index.ts';

let saved: Uint8Array = new Uint8Array(0);

describeReadme(new URL('../README.md', import.meta.url), {
  modules: {
    '@epsball/predict': predict,
    // The front door is a layer above.
    '@epsball/dbscan': {dbscan: (points: never, params: never) => dbscanOracle(toPoints(points), params)},
    'node:fs/promises': {
      readFile: async () => saved,
      writeFile: async (_: string, bytes: Uint8Array) => (saved = bytes),
    },
  },
});
