import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {describe, expect, it} from 'vitest';
import {RunAbortedError, RunQueue} from '../src/index.ts';

describe('RunQueue', () => {
  it('runs one after another, also after a failed one', async () => {
    const queue = new RunQueue();
    const seen: string[] = [];
    const run = async (name: string): Promise<string> => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 1));
      seen.push(`${name} ends`);
      if (name === 'b') throw new Error(name);
      return name;
    };
    const all = ['a', 'b', 'c'].map((name) => queue.add(() => run(name)));
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({status}) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('lets a run that waits go when its signal fires', async () => {
    const queue = new RunQueue();
    let end = (): void => {};
    const first = queue.add(() => new Promise<void>((resolve) => (end = resolve)));
    const controller = new AbortController();
    let hasRun = false;
    const waiting = queue.add(async () => void (hasRun = true), controller.signal);
    const last = queue.add(async () => 'last', new AbortController().signal);
    controller.abort('enough');
    await expect(waiting).rejects.toMatchObject({name: 'RunAbortedError', cause: 'enough'});
    end();
    await first;
    expect(await last).toBe('last');
    expect(hasRun).toBe(false);
    await expect(queue.add(async () => {}, AbortSignal.abort())).rejects.toThrow(RunAbortedError);
    await expect(queue.add(() => Promise.reject(new Error('own')), new AbortController().signal)).rejects.toThrow(
      'own',
    );
  });

  it('settles if only the field of a signal says that it has fired', async () => {
    let looks = 0;
    const signal = Object.defineProperty(new AbortController().signal, 'aborted', {get: () => ++looks > 1});
    expect(await new RunQueue().add(async () => 'ran', signal)).toBe('ran');
  });

  it('refuses what is no signal, and goes on', async () => {
    const queue = new RunQueue();
    await expect(queue.add(async () => {}, {} as never)).rejects.toThrow('signal = Object; expected an AbortSignal');
    expect(await queue.add(async () => 'next')).toBe('next');
  });

  it('keeps no result alive', async () => {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    if (typeof collect !== 'function') throw new Error('no collector');
    const queue = new RunQueue();
    const kept = new WeakRef(await queue.add(async () => ({labels: new Int32Array(8)})));
    // A weak reference holds what it refers to until the job that made it has ended.
    await new Promise((resolve) => setTimeout(resolve, 1));
    collect();
    expect(kept.deref()).toBeUndefined();
  });
});
