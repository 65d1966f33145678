import {cases, highDimensionalCases} from '@epsball/conformance';
import {shareOf} from '@epsball/conformance/share';
import {expect, it} from 'vitest';
import {compareWithSklearn, findPythonWithSklearn} from '../src/sklearn.ts';

// In a run of all tests, some nine hundred fits in sequence.
const TIMEOUT_MS = 300_000;

it(
  'the oracle equals scikit-learn in the cases that do not declare otherwise',
  async ({skip, annotate}) => {
    const python = findPythonWithSklearn() ?? skip('no Python with scikit-learn; set it in EPSBALL_PYTHON');
    const some = shareOf([...cases, ...highDimensionalCases], {
      of: 'scikit-learn',
      nameOf: ({name}) => name,
      isKept: ({sklearn}) => sklearn !== undefined,
    });
    const {version, rows} = await compareWithSklearn(some, python);
    await annotate(`scikit-learn ${version}, ${rows.length} cases`);
    const surprises = rows.filter(({testCase, outcome}) => outcome !== (testCase.sklearn?.outcome ?? 'equal'));
    expect(surprises.map(({testCase, outcome, detail}) => `${testCase.name}: ${outcome}, ${detail}`)).toEqual([]);
  },
  TIMEOUT_MS,
);
