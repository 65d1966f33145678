import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {createProgressBar} from '../src/cluster/progressBar.ts';

const WIPE = '\r\u001B[2K';

/** A terminal that records its output. */
function terminal(isTTY = true): {stream: NodeJS.WriteStream; written: string[]} {
  const written: string[] = [];
  const stream = {isTTY, write: (text: string) => written.push(text) > 0};
  return {stream: stream as unknown as NodeJS.WriteStream, written};
}

describe('the progress bar', () => {
  beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']}));
  afterEach(() => void vi.useRealTimers());

  it('shows the last report after 400 ms without another report, and is cleared', () => {
    const {stream, written} = terminal();
    const bar = createProgressBar(stream);
    bar.update({phase: 'open', done: 0, total: 0});
    bar.update({phase: 'read', done: 0, total: 0});
    vi.advanceTimersByTime(399);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(written).toEqual([`${WIPE}read`]);
    bar.clear();
    bar.clear();
    expect(written.slice(1)).toEqual([WIPE]);
  });

  it('shows a detail behind the percentage', () => {
    const {stream, written} = terminal();
    const bar = createProgressBar(stream);
    vi.advanceTimersByTime(500);
    bar.update({phase: 'tile', done: 1, total: 2, detail: '1 of 2 tasks'});
    expect(written).toEqual([`${WIPE}tile      ${'█'.repeat(12)}${'░'.repeat(12)}  50 %  1 of 2 tasks`]);
  });

  it('says how long work has taken that reports nothing', () => {
    const {stream, written} = terminal();
    const bar = createProgressBar(stream);
    bar.update({phase: 'read', done: 0, total: 0});
    vi.advanceTimersByTime(3500);
    expect(written).toEqual([`${WIPE}read`, `${WIPE}read`, `${WIPE}read  2 s`, `${WIPE}read  3 s`]);
    bar.clear();
    vi.advanceTimersByTime(9000);
    expect(written).toHaveLength(5);
  });

  it('does not show for a shorter run', () => {
    const {stream, written} = terminal();
    const bar = createProgressBar(stream);
    bar.update({phase: 'read', done: 0, total: 0});
    bar.clear();
    vi.advanceTimersByTime(1000);
    expect(written).toEqual([]);
  });

  it('redraws a phase at most every 60 ms, and a new phase at once', () => {
    const {stream, written} = terminal();
    const bar = createProgressBar(stream);
    vi.advanceTimersByTime(500);
    bar.update({phase: 'shift', done: 1, total: 4});
    vi.advanceTimersByTime(59);
    bar.update({phase: 'shift', done: 2, total: 4});
    vi.advanceTimersByTime(1);
    bar.update({phase: 'shift', done: 3, total: 4});
    bar.update({phase: 'write', done: 0, total: 0});
    expect(written).toEqual([
      `${WIPE}shift     ${'█'.repeat(6)}${'░'.repeat(18)}  25 %`,
      `${WIPE}shift     ${'█'.repeat(18)}${'░'.repeat(6)}  75 %`,
      `${WIPE}write`,
    ]);
  });

  it('writes nothing if the stream is not a terminal', () => {
    const {stream, written} = terminal(false);
    const bar = createProgressBar(stream);
    vi.advanceTimersByTime(500);
    bar.update({phase: 'shift', done: 1, total: 4});
    bar.clear();
    expect(written).toEqual([]);
  });
});
