import {DynamicOracle, dynamicHistory, type IdRules} from '@epsball/conformance';
import {expect, it} from 'vitest';

const CONTRACT: IdRules = {isMore: (count, most) => count > most, namesParts: true};

/** Wrong rules of ids. */
const MUTANTS: Readonly<Record<string, IdRules>> = {
  'a split that keeps both ids': {...CONTRACT, namesParts: false},
  'a cluster that follows the smaller part': {...CONTRACT, isMore: (count, most) => most === 0 || count < most},
  'a tie that the last part wins': {...CONTRACT, isMore: (count, most) => count >= most},
};

it.for(Object.keys(MUTANTS))('the histories find %s', (name) => {
  const differs = Array.from({length: 20}, (_, seed) => seed).some((seed) => {
    const {dim, eps, minPts, next} = dynamicHistory(seed, 30);
    const [right, wrong] = [CONTRACT, MUTANTS[name]].map((rules) => new DynamicOracle(dim, {eps, minPts}, rules));
    return Array.from({length: 60}, next).some((batch) => {
      return JSON.stringify(right.update(batch)) !== JSON.stringify(wrong.update(batch));
    });
  });
  expect(differs).toBe(true);
});
