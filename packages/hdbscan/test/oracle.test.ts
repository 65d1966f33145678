import {describe, expect, it} from 'vitest';
import {pointCount} from '@epsball/clustering';
import {dbscanOracle, readPermuted} from '@epsball/conformance';
import {shareOf, sizeOfShare} from '@epsball/conformance/share';
import {hdbscanCases, randomHdbscanCase} from './oracle/cases.ts';
import {judgeHdbscanCase} from './oracle/judge.ts';
import {hdbscanMutants} from './oracle/mutants.ts';
import {hdbscanOracle} from './oracle/oracle.ts';
import {distinctPlaces, everyPoint} from './oracle/places.ts';

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
      const {minClusterSize, minSamples = minClusterSize, countSelf = true, duplicates} = params;
      const {cut} = hdbscanOracle(points(), params).hierarchy;
      const {points: places, copies} = (duplicates === 'once' ? distinctPlaces : everyPoint)(points());
      for (const eps of cuts) {
        const {labels, coreMask} = dbscanOracle(places, {eps, minPts: minSamples + (countSelf ? 0 : 1)});
        const expected = new Int32Array(pointCount(points()));
        copies.forEach((own, k) => own.forEach((i) => (expected[i] = coreMask[k] === 1 ? labels[k] : -1)));
        expect(cut(eps), `${name}, eps ${eps}`).toEqual(expected);
      }
    }
  });

  it('counts places without copies once and each alike', () => {
    for (let seed = 0; seed < sizeOfShare(600); seed++) {
      const {points, params, name} = randomHdbscanCase(seed, 80);
      const {points: places} = distinctPlaces(points());
      const [once, each] = (['once', 'count'] as const).map((duplicates) =>
        hdbscanOracle(places, {...params, duplicates}),
      );
      expect(once.labels, name).toEqual(each.labels);
      expect(once.probabilities, name).toEqual(each.probabilities);
      expect(once.outlierScores, name).toEqual(each.outlierScores);
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
