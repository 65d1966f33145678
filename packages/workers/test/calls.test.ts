import {afterEach, describe, expect, it, vi} from 'vitest';
import {awaitCall, awakenThreads, callsSoFar, callThreads, createCalls} from '../src/calls.ts';

/**
 * Replaces the clock by one that advances by a tenth of a millisecond with each reading.
 *
 * @param onRead  called at each reading, with its number from 1
 * @returns       number of readings so far
 */
function countReadings(onRead: (reading: number) => void = () => undefined): () => number {
  let readings = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    onRead(++readings);
    return readings / 10;
  });
  return () => readings;
}

describe('the calls of a pool', () => {
  afterEach(() => vi.restoreAllMocks());

  it('end a wait at once after an order', () => {
    const calls = createCalls(2);
    const seen = callsSoFar(calls);
    callThreads(calls, 1);
    const readings = countReadings();
    awaitCall(calls, seen);
    expect(readings()).toBe(1);
  });

  it('keep a thread that is awakened without an order awake for a millisecond', () => {
    const calls = createCalls(2);
    const seen = callsSoFar(calls);
    awakenThreads(calls, 1);
    const readings = countReadings();
    awaitCall(calls, seen);
    expect(readings()).toBeGreaterThanOrEqual(11);
    expect(readings()).toBeLessThanOrEqual(12);
  });

  it('end the wait of an awakened thread when the order comes', () => {
    const calls = createCalls(2);
    const seen = callsSoFar(calls);
    awakenThreads(calls, 1);
    const readings = countReadings((reading) => {
      if (reading === 4) callThreads(calls, 1);
    });
    awaitCall(calls, seen);
    expect(readings()).toBe(4);
  });

  it('do not change when no thread is to be awakened', () => {
    const calls = createCalls(2);
    const seen = callsSoFar(calls);
    for (const threads of [0, -1]) awakenThreads(calls, threads);
    expect(callsSoFar(calls)).toEqual(seen);
  });

  it('end the wait of a thread that saw the order before the call', () => {
    const calls = createCalls(2);
    const before = callsSoFar(calls);
    let seen = before;
    const add: (array: Int32Array, index: number, value: number) => number = Atomics.add.bind(Atomics);
    // Stands for a thread that reads the calls between any two steps of the caller.
    const addAndRead = (array: Int32Array, index: number, value: number): number => {
      const old = add(array, index, value);
      if (seen === before && callsSoFar(calls).orders !== before.orders) seen = callsSoFar(calls);
      return old;
    };
    vi.spyOn(Atomics, 'add').mockImplementation(addAndRead as typeof Atomics.add);
    callThreads(calls, 1);
    expect(callsSoFar(calls)).toEqual(seen);
  });
});
