import {describe, expect, it} from 'vitest';
import {RunAbortedError, RunPacer, type DbscanPhase, type Progress, type RunOptions} from '@epsball/clustering';

/** Work that the pacer sees as longer than its longest stretch, whatever the machine. */
function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('RunPacer', () => {
  it('reports a phase at most once per hundredth of its work', async () => {
    const reports: Progress<DbscanPhase>[] = [];
    const pacer = new RunPacer<DbscanPhase>(1000, {onProgress: (progress) => reports.push(progress)});
    for (let done = 0; done < 1000; done++) await pacer.pause('clusters', done);
    expect(reports).toHaveLength(100);
    expect(reports[1]).toEqual({phase: 'clusters', done: 10, total: 1000});
  });

  it('reports the end of a phase, and slow work twice a second', async () => {
    const reports: number[] = [];
    const pacer = new RunPacer<DbscanPhase>(1000, {onProgress: ({done}) => reports.push(done)});
    await pacer.pause('clusters', 995);
    await pacer.pause('clusters', 1000);
    await pacer.pause('clusters', 1000);
    expect(reports).toEqual([995, 1000]);
    await pacer.pause('borders', 1);
    busyFor(510);
    await pacer.pause('borders', 2);
    expect(reports.slice(2)).toEqual([1, 2]);
  });

  it('reports a new phase from its first pause on', async () => {
    const reports: string[] = [];
    const pacer = new RunPacer(100, {onProgress: ({phase, done}) => reports.push(`${phase} ${done}`)});
    await pacer.pause('core', 90);
    await pacer.pause('clusters', 0);
    expect(reports).toEqual(['core 90', 'clusters 0']);
  });

  it('takes the phases of any algorithm from its options', async () => {
    const reports: Progress<'shift' | 'merge'>[] = [];
    const options: RunOptions<'shift' | 'merge'> = {onProgress: (progress) => reports.push(progress)};
    const pacer = new RunPacer(4, options);
    await pacer.pause('shift', 2);
    expect(reports).toEqual([{phase: 'shift', done: 2, total: 4}]);
  });

  it('lets timers run during a long stretch of work', async () => {
    let hasTurned = false;
    setImmediate(() => (hasTurned = true));
    const pacer = new RunPacer(1, {});
    busyFor(60);
    await pacer.pause('clusters', 0);
    expect(hasTurned).toBe(true);
  });

  it('lets timers run while many short runs work at once', async () => {
    let turns = 0;
    const run = async (): Promise<number> => {
      const pacer = new RunPacer(1, {});
      busyFor(10);
      await pacer.pause('clusters', 1);
      return turns;
    };
    const count = (): void => {
      turns++;
      if (turns < 1000) setImmediate(count);
    };
    setImmediate(count);
    const seen = await Promise.all(Array.from({length: 20}, run));
    turns = 1000;
    // All of them have begun in one turn, and go on in several.
    expect(new Set(seen).size).toBeGreaterThan(2);
  });

  it('rejects with the phase and the reason once the signal has fired', async () => {
    const controller = new AbortController();
    const pacer = new RunPacer(10, {signal: controller.signal});
    await pacer.pause('core', 0);
    controller.abort('enough');
    const pause = pacer.pause('core', 1);
    await expect(pause).rejects.toThrow(RunAbortedError);
    await expect(pause).rejects.toMatchObject({message: 'run aborted in core', cause: 'enough'});
  });
});
