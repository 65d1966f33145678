import type {DbscanCase} from './case.ts';
import {SHARE, shareOf, SHORT} from './share.ts';

/**
 * Cases that every share contains. Each rejects a mutant that few other cases reject. Together with one case of each
 * family they reject all mutants (test/mutants.test.ts).
 */
export const keystones: readonly string[] = [
  'minPts 4294967296 leaves only noise',
  'a level of 300 points whose last one alone leads on',
  'spiral of 1500 points, float64',
  'points a view inside a larger buffer, 2-D float32',
  'points around the faces of cells of side eps/1.00, eps 0.1, 3-D float64',
  'clusters of scale 100 at 1000000, 1-D float64',
  'eps 1e+200 squared overflows, data of scale 1e+300, 4-D float64',
  'places at 0, 1e154, 1e155 and 1.7e308, eps 1.35e+154, 2-D float64',
];

/**
 * The share of a list of cases for one subject. Subjects with different ids have different shares, so together they
 * cover more cases. A share of at least `SHORT` contains a case of each family. A smaller share is a sample, for a
 * second adapter.
 */
export function shareOfCases(subjectId: string, cases: readonly DbscanCase[], share: number = SHARE): DbscanCase[] {
  const families = share < SHORT ? {} : {familyOf};
  return shareOf(cases, {of: subjectId, nameOf: ({name}) => name, isKept, share, ...families});
}

/** The family of a case: its name without numbers, dimension, precision and order of points. */
export function familyOf({name}: DbscanCase): string {
  return name
    .replaceAll(/, (?:\d+-D(?: float\d\d)?|float\d\d|last first|shuffled(?: with seed \d+)?)/g, '')
    .replaceAll(/[-−]?\d[\d.]*(?:e[-+]?\d+)?/g, '#');
}

function isKept({name}: DbscanCase): boolean {
  return keystones.includes(name) || name.startsWith('regression: ');
}
