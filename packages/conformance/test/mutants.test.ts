import {pointCount} from '@epsball/clustering';
import {cases, mutants, type DbscanCase, type Mutant} from '@epsball/conformance';
import {describe, expect, it} from 'vitest';
import {judgeCase} from '../src/judge.ts';

const smallestFirst = cases
  .map((testCase) => ({testCase, n: pointCount(testCase.points())}))
  .sort((a, b) => a.n - b.n)
  .map(({testCase}) => testCase);

describe('the case list rejects a DBSCAN that', () => {
  it.for<Mutant>(mutants)('$name', async (mutant, {annotate}) => {
    const algorithm = mutant.create();
    let caughtBy: {testCase: DbscanCase; violation: string} | undefined;
    for (const testCase of smallestFirst) {
      const violation = await judgeCase(algorithm, testCase);
      if (violation === null) continue;
      caughtBy = {testCase, violation};
      break;
    }
    expect(caughtBy, 'no case catches it').toBeDefined();
    await annotate(`${caughtBy?.testCase.name}: ${caughtBy?.violation}`, 'caught by');
  });
});
