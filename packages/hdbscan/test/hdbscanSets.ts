import {SHARE, shareOf} from '@epsball/conformance/share';
import {hdbscanCases, randomHdbscanCase, weightedHdbscanCase} from './oracle/cases.ts';
import type {HdbscanCase} from './oracle/definition.ts';
import {judgeHdbscanCase, type HdbscanRun} from './oracle/judge.ts';
import {wideCases} from './oracle/wideCases.ts';

const RANDOM_SETS = 2000;
const FIRST_SEED = 1000;

/** The oracle of a set runs once for all subjects of a process. */
const randomSets = Array.from({length: RANDOM_SETS}, (_, k) => randomHdbscanCase(FIRST_SEED + k, 300, 5));
const weightedSets = Array.from({length: RANDOM_SETS}, (_, k) => weightedHdbscanCase(FIRST_SEED + k, 300, 5));

/** A share of the cases; of the large ones, whose oracle takes seconds, a short share has one. */
export function casesFor(subject: string): HdbscanCase[] {
  const isTold = ({name}: HdbscanCase): boolean => !/^seed|^\d{4} points, [^u]/.test(name);
  return shareOf(hdbscanCases, {of: subject, nameOf: ({name}) => name, isKept: isTold});
}

/** A share of the cases in more than 16 dimensions, with one of each shape. */
export function wideCasesFor(subject: string): HdbscanCase[] {
  return shareOf(wideCases, {of: subject, nameOf: ({name}) => name, familyOf: ({name}) => name.split(', ')[1]});
}

/**
 * A share of 2,000 random sets. In a short share each subject has others.
 *
 * @param part  of the share, where it is a short one
 */
export function randomSetsFor(subject: string, part?: number): HdbscanCase[] {
  return setsFor(randomSets, subject, part);
}

/** As `randomSetsFor`, of sets with weights. */
export function weightedSetsFor(subject: string, part?: number): HdbscanCase[] {
  return setsFor(weightedSets, subject, part);
}

function setsFor(sets: readonly HdbscanCase[], subject: string, part = 1): HdbscanCase[] {
  const share = SHARE >= 1 ? 1 : SHARE * part;
  return shareOf(sets, {of: subject, nameOf: ({name}) => name, share});
}

/**
 * Runs cases in their order of rows and in a random one, and compares every byte with the oracle.
 *
 * @returns  a line for each case that differs
 */
export async function differences(run: HdbscanRun, cases: readonly HdbscanCase[]): Promise<string[]> {
  const found: string[] = [];
  for (const [k, one] of cases.entries()) {
    const wrong = (await judgeHdbscanCase(run, one)) ?? (await judgeHdbscanCase(run, one, {seed: k + 1}));
    if (wrong !== null) found.push(`${one.name}: ${wrong}`);
  }
  return found;
}
