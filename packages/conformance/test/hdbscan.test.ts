import {describe, expect, it} from 'vitest';
import {
  dbscanOracle,
  hdbscanCases,
  hdbscanMutants,
  hdbscanOracle,
  judgeHdbscanCase,
  randomHdbscanCase,
  readPermuted,
} from '@epsball/conformance';
import {shareOf, sizeOfShare} from '@epsball/conformance/share';

/** The oracle is quadratic; these cases are enough for it. */
const small = hdbscanCases.filter(({points}) => points().coords.length < 400);

describe('the oracle of HDBSCAN*', () => {
  it('gives the labels that were derived by hand', async () => {
    const derived = small.filter(({labels}) => labels !== undefined);
    expect(derived.length).toBeGreaterThan(10);
    for (const one of derived) {
      expect(await judgeHdbscanCase(async (...input) => hdbscanOracle(...input), one), one.name).toBe(null);
    }
  });

  it('does not depend on the order of the points', () => {
    for (let seed = 0; seed < sizeOfShare(2000); seed++) {
      const {points, params, name} = randomHdbscanCase(seed, 80);
      const {order, moved} = readPermuted(points(), seed);
      const expected = hdbscanOracle(points(), params);
      const actual = hdbscanOracle(moved, params);
      order.forEach((from, to) => {
        const isSame =
          Object.is(actual.probabilities[to], expected.probabilities[from]) &&
          Object.is(actual.outlierScores[to], expected.outlierScores[from]) &&
          actual.labels[to] < 0 === expected.labels[from] < 0;
        expect(isSame, name).toBe(true);
      });
      expect(actual.clusterCount, name).toBe(expected.clusterCount);
    }
  });

  it('cuts to the core partition of DBSCAN', () => {
    for (const {name, points, params, cuts} of shareOf(small, {of: 'hdbscan cuts', share: 0.5})) {
      const {minClusterSize, minSamples = minClusterSize, countSelf = true} = params;
      const {dbscanClustering} = hdbscanOracle(points(), params);
      for (const eps of cuts) {
        const {labels, coreMask} = dbscanOracle(points(), {eps, minPts: minSamples + (countSelf ? 0 : 1)});
        const expected = labels.map((label, i) => (coreMask[i] === 1 ? label : -1));
        expect(dbscanClustering(eps), `${name}, eps ${eps}`).toEqual(expected);
      }
    }
  });

  it('has cases with unique names', () => {
    expect(new Set(hdbscanCases.map(({name}) => name)).size).toBe(hdbscanCases.length);
  });

  it.for(hdbscanMutants)('rejects a mutant: $name', async ({run}) => {
    let rejected = 0;
    for (const one of small) {
      if ((await judgeHdbscanCase(run, one)) !== null) rejected++;
      if (rejected > 0) break;
    }
    expect(rejected).toBeGreaterThan(0);
  });
});
