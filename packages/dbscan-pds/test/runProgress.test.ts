import type {DbscanPhase, Progress} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {RunProgress} from '../src/workers/runProgress.ts';

/** What a caller hears of a wave whose chunks are done like this. */
function heard(stages: readonly (readonly [DbscanPhase | undefined, number])[], done: readonly number[]): string[] {
  const reports: Progress<DbscanPhase>[] = [];
  const progress = new RunProgress(1000, (report) => reports.push(report));
  progress.enter('core');
  const look = progress.ofStages(stages);
  for (const chunks of done) look?.(chunks);
  return reports.map(({phase, done: points}) => `${phase} ${points}`);
}

describe('progress of a wave of stages', () => {
  const two = [
    ['core', 10],
    ['clusters', 10],
  ] as const;

  it('goes on from phase to phase and never back', () => {
    expect(heard(two, [5, 12, 14, 20])).toEqual([
      'core 0',
      'core 500',
      'core 1000',
      'clusters 0',
      'clusters 200',
      'clusters 400',
      'clusters 1000',
    ]);
  });

  it('enters a phase that nobody has looked at', () => {
    const three = [...two, ['borders', 10]] as const;
    expect(heard(three, [25, 26])).toEqual([
      'core 0',
      'core 1000',
      'clusters 0',
      'clusters 1000',
      'borders 0',
      'borders 500',
      'borders 600',
    ]);
  });

  it('passes over stages that are no phase', () => {
    const some = [
      [undefined, 10],
      ['borders', 10],
    ] as const;
    expect(heard(some, [4, 8, 15])).toEqual(['core 0', 'core 1000', 'borders 0', 'borders 500']);
  });
});
