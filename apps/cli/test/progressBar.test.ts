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

  describe('the time that is left', () => {
    /** The last line of reports of one phase of 100 items: items done, and milliseconds after it. */
    const lineOf = (...reports: readonly (readonly [done: number, ms: number])[]): string | undefined => {
      const {stream, written} = terminal();
      const bar = createProgressBar(stream);
      for (const [done, ms] of reports) {
        bar.update({phase: 'tile', done, total: 100});
        vi.advanceTimersByTime(ms);
      }
      bar.clear();
      return written.at(-2)?.split(' %  ')[1];
    };

    it('is that of a rate that was measured for a second', () => {
      expect(lineOf([0, 999], [10, 2500])).toBe('3 s');
      expect(lineOf([0, 1000], [10, 2500])).toBe('3 s, 7 s left');
      // What an earlier run has done tells no rate.
      expect(lineOf([90, 5000])).toBe('4 s');
      expect(lineOf([90, 5000], [91, 0], [91, 1000])).toBe('6 s, 44 s left');
    });

    it('falls until the next report, never below 0, and grows where work is overdue', () => {
      expect(lineOf([0, 10_000], [50, 4000])).toBe('14 s, 6 s left');
      expect(lineOf([0, 10_000], [50, 9000])).toBe('19 s, 1 s left');
      expect(lineOf([0, 10_000], [50, 12_000])).toBe('22 s, 22 s left');
      expect(lineOf([0, 10_000], [100, 5000])).toBe('15 s');
    });

    it('is measured anew where the work begins again', () => {
      expect(lineOf([0, 10_000], [90, 10_000], [0, 500], [1, 500])).toBe('21 s');
      expect(lineOf([0, 10_000], [90, 10_000], [0, 2000], [50, 0], [50, 1000])).toBe('23 s, 1 s left');
    });
  });

  it('fits the terminal: the bar gives way', () => {
    const {stream, written} = terminal();
    Object.assign(stream, {columns: 60});
    const bar = createProgressBar(stream);
    bar.update({phase: 'route', done: 0, total: 4});
    vi.advanceTimersByTime(3000);
    bar.update({phase: 'route', done: 2, total: 4, detail: '2 of 4 tasks, 1.5 GB of 3 GB'});
    expect(written.at(-1)?.slice(WIPE.length)).toBe('route       50 %  2 of 4 tasks, 1.5 GB of 3   3 s, 3 s left');
    Object.assign(stream, {columns: 70});
    bar.update({phase: 'route', done: 4, total: 4, detail: '4 of 4 tasks, 3 GB of 3 GB'});
    expect(written.at(-1)?.slice(WIPE.length)).toBe(
      'route     ███████████████████  100 %  4 of 4 tasks, 3 GB of 3 GB  3 s',
    );
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
