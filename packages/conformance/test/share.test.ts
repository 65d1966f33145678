import {cases, highDimensionalCases, type DbscanCase} from '@epsball/conformance';
import {SHARE, shareOf, SHORT, sizeOfShare} from '@epsball/conformance/share';
import {describe, expect, it} from 'vitest';
import {familyOf, keystones, shareOfCases} from '../src/caseShare.ts';
import {PRECISIONS} from '../src/shapes.ts';
import {catalogueSubjects} from './workspace.ts';

const all = [...cases, ...highDimensionalCases];
const subjects = await catalogueSubjects();
const numbers = Array.from({length: 1000}, (_, k) => k);

describe('a share', () => {
  it('has the asked size, in the order of the list, the same on every call', () => {
    const some = shareOf(numbers, {of: 'a test', share: 0.1});
    expect(some).toHaveLength(100);
    expect(some).toEqual([...some].sort((a, b) => a - b));
    expect(shareOf(numbers, {of: 'a test', share: 0.1})).toEqual(some);
  });

  it('differs from test to test', () => {
    const [one, other] = ['one', 'other'].map((of) => shareOf(numbers, {of, share: 0.1}));
    expect(one.filter((item) => other.includes(item)).length).toBeLessThan(50);
  });

  it('is part of every larger share, and the list itself at 1 and above', () => {
    const shares = [0.01, 0.05, 0.3, 0.9].map((share) =>
      shareOf(numbers, {of: 'a test', share, familyOf: (item) => String(item % 17)}),
    );
    for (let k = 1; k < shares.length; k++) expect(shares[k]).toEqual(expect.arrayContaining(shares[k - 1]));
    for (const share of [1, 7]) expect(shareOf(numbers, {of: 'a test', share})).toEqual(numbers);
  });

  it('contains the kept items and one item of each family', () => {
    const some = shareOf(numbers, {
      of: 'a test',
      share: 0.001,
      familyOf: (item) => String(item % 7),
      isKept: (item) => item === 400,
    });
    expect(some).toContain(400);
    expect(new Set(some.map((item) => item % 7)).size).toBe(7);
  });

  it('does not change when an item is added, except for that item', () => {
    const options = {of: 'a test', share: 0.1, nameOf: (item: number) => `item ${item}`};
    const before = shareOf(numbers.slice(1), options);
    expect(shareOf(numbers, options).filter((item) => !before.includes(item)).length).toBeLessThanOrEqual(1);
  });

  it('of runs is at least one run, and more than all of them above 1', () => {
    expect([0.1, 0.001, 1, 3].map((share) => sizeOfShare(25, share))).toEqual([3, 1, 25, 75]);
    expect(SHARE).toBeGreaterThan(0);
  });
});

// Larger shares contain this one.
describe.for(subjects)('the share of the cases of $id that pnpm test takes', ({id, maxDim}) => {
  const fitting = all.filter(({dim}) => dim <= maxDim);
  const some = shareOfCases(id, fitting, SHORT);

  it('is small and contains every family, dimension and precision', () => {
    expect(some.length).toBeLessThan(110);
    expect(new Set(some.map(familyOf))).toEqual(new Set(fitting.map(familyOf)));
    expect(new Set(some.map(({dim}) => dim).filter((dim) => dim <= 4))).toEqual(new Set([1, 2, 3, 4]));
    const precisions = some.map((testCase) => testCase.points().coords instanceof Float32Array);
    expect(new Set(precisions).size).toBe(PRECISIONS.length);
  });

  it('contains the cases that belong to every share', () => {
    expect(some.map(({name}) => name)).toEqual(expect.arrayContaining([...keystones]));
  });
});

it('shares of different subjects together contain more cases', () => {
  const taken = new Set<DbscanCase>(subjects.flatMap(({id}) => shareOfCases(id, all, SHORT)));
  expect(taken.size).toBeGreaterThan(0.3 * all.length);
});
