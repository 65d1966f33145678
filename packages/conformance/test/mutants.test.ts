import {pointCount} from '@epsball/clustering';
import {cases, type DbscanCase} from '@epsball/conformance';
import {SHORT} from '@epsball/conformance/share';
import {describe, expect, it} from 'vitest';
import {shareOfCases} from '../src/caseShare.ts';
import {judgeCase} from '../src/judge.ts';
import {mutants, type Mutant} from './mutants.ts';
import {catalogueSubjects} from './workspace.ts';

const sizes = new Map(cases.map((testCase) => [testCase, pointCount(testCase.points())]));
const smallestFirst = [...cases].sort((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0));

/** The cases of `pnpm test`, by subject. */
const shares = (await catalogueSubjects()).map(({id, maxDim}) => {
  const fitting = smallestFirst.filter(({dim}) => dim <= maxDim);
  return {id, some: shareOfCases(id, fitting, SHORT)};
});

describe('the short test run of every subject rejects a DBSCAN that', () => {
  it.for<Mutant>(mutants)('$name', async (mutant, {annotate}) => {
    // The result of a mutant without memory is the same in all shares.
    const known = new Map<DbscanCase, string | null>();
    for (const {id, some} of shares) {
      const algorithm = mutant.create();
      let caughtBy: {testCase: DbscanCase; violation: string} | undefined;
      for (const testCase of some) {
        const answer = mutant.remembers ? undefined : known.get(testCase);
        const violation = answer === undefined ? await judgeCase(algorithm, testCase) : answer;
        known.set(testCase, violation);
        if (violation === null) continue;
        caughtBy = {testCase, violation};
        break;
      }
      expect(caughtBy, `no case in the share of ${id} catches it`).toBeDefined();
      await annotate(`${id}: ${caughtBy?.testCase.name}: ${caughtBy?.violation}`, 'caught by');
    }
  });
});
