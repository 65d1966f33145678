import type {DbscanPhase, Progress} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {RunProgress} from '../src/workers/runProgress.ts';

/** Reports of a wave, for the given counts of finished chunks. */
function reportsOf(steps: readonly (readonly [DbscanPhase | undefined, number])[], done: readonly number[]): string[] {
  const reports: Progress<DbscanPhase>[] = [];
  const progress = new RunProgress(1000, (progressed) => reports.push(progressed));
  progress.enter('core');
  const report = progress.ofSteps(steps);
  for (const chunks of done) report?.(chunks);
  return reports.map(({phase, done: points}) => `${phase} ${points}`);
}

describe('progress of a wave of steps', () => {
  const two = [
    ['core', 10],
    ['clusters', 10],
  ] as const;

  it('goes from phase to phase, never back', () => {
    expect(reportsOf(two, [5, 12, 14, 20])).toEqual([
      'core 0',
      'core 500',
      'core 1000',
      'clusters 0',
      'clusters 200',
      'clusters 400',
      'clusters 1000',
    ]);
  });

  it('enters a phase between two reports', () => {
    const three = [...two, ['borders', 10]] as const;
    expect(reportsOf(three, [25, 26])).toEqual([
      'core 0',
      'core 1000',
      'clusters 0',
      'clusters 1000',
      'borders 0',
      'borders 500',
      'borders 600',
    ]);
  });

  it('skips steps without a phase', () => {
    const some = [
      [undefined, 10],
      ['borders', 10],
    ] as const;
    expect(reportsOf(some, [4, 8, 15])).toEqual(['core 0', 'core 1000', 'borders 0', 'borders 500']);
  });
});
