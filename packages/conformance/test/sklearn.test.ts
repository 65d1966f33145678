import {cases, findPythonWithSklearn, highDimensionalCases} from '@epsball/conformance';
import {expect, it} from 'vitest';
import {shareOfCases} from '../src/caseShare.ts';
import {compareWithSklearn} from './sklearn.ts';

const all = [...cases, ...highDimensionalCases];

it('the oracle equals scikit-learn in every case that does not declare otherwise', async ({skip, annotate}) => {
  const python = findPythonWithSklearn() ?? skip('no Python with scikit-learn; set it in EPSBALL_PYTHON');
  const {version, rows} = await compareWithSklearn(shareOfCases('scikit-learn', all), python);
  await annotate(`scikit-learn ${version}, ${rows.length} cases`);
  const surprises = rows.filter(({testCase, outcome}) => outcome !== (testCase.sklearn?.outcome ?? 'equal'));
  expect(surprises.map(({testCase, outcome, detail}) => `${testCase.name}: ${outcome}, ${detail}`)).toEqual([]);
});
