import {describe, expect, it} from 'vitest';
import {stageProgress} from '../src/scaleOut/stageProgress.ts';

describe('stageProgress', () => {
  it('says tasks, and bytes of the input where tasks read it', () => {
    expect(stageProgress({stage: 'route', done: 3, total: 12}, 8e9)).toEqual({
      phase: 'route',
      done: 3,
      total: 12,
      detail: '3 of 12 tasks, 2 GB of 8 GB',
    });
    expect(stageProgress({stage: 'import', done: 1, total: 8}, 1.2e9).detail).toBe('1 of 8 tasks, 150 MB of 1.2 GB');
    expect(stageProgress({stage: 'tile', done: 0, total: 1}, 8e9).detail).toBe('0 of 1 task');
  });

  it('says only that a run waits before a worker took it', () => {
    expect(stageProgress({done: 0, total: 0}, 8e9)).toEqual({phase: 'waiting', done: 0, total: 0});
  });
});
