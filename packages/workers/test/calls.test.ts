import {afterEach, describe, expect, it, vi} from 'vitest';
import {awaitCall, awakenThreads, callsSoFar, callThreads, createCalls} from '../src/calls.ts';

/**
 * Lets a tenth of a millisecond pass between two looks at the clock.
 *
 * @param onLook  called at each, with its number from 1
 * @returns       how many looks there have been
 */
function countLooks(onLook: (look: number) => void = () => undefined): () => number {
  let looks = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    onLook(++looks);
    return looks / 10;
  });
  return () => looks;
}

describe('the calls of a pool', () => {
  afterEach(() => vi.restoreAllMocks());

  it('end a wait at once where an order has come', () => {
    const calls = createCalls(2);
    const seen = callsSoFar(calls);
    callThreads(calls, 1);
    const looks = countLooks();
    awaitCall(calls, seen);
    expect(looks()).toBe(1);
  });

  it('keep who was only awakened awake for a millisecond', () => {
    const calls = createCalls(2);
    const seen = callsSoFar(calls);
    awakenThreads(calls, 1);
    const looks = countLooks();
    awaitCall(calls, seen);
    expect(looks()).toBeGreaterThanOrEqual(11);
    expect(looks()).toBeLessThanOrEqual(12);
  });

  it('end the wait of who was awakened when the order comes', () => {
    const calls = createCalls(2);
    const seen = callsSoFar(calls);
    awakenThreads(calls, 1);
    const looks = countLooks((look) => {
      if (look === 4) callThreads(calls, 1);
    });
    awaitCall(calls, seen);
    expect(looks()).toBe(4);
  });

  it('do not change where nobody is to be awakened', () => {
    const calls = createCalls(2);
    const seen = callsSoFar(calls);
    for (const threads of [0, -1]) awakenThreads(calls, threads);
    expect(callsSoFar(calls)).toEqual(seen);
  });

  it('end the wait of who has seen an order before the call', () => {
    const calls = createCalls(2);
    const before = callsSoFar(calls);
    let seen = before;
    const add: (array: Int32Array, index: number, value: number) => number = Atomics.add.bind(Atomics);
    // A thread that looks between any two steps of the caller.
    const addAndLook = (array: Int32Array, index: number, value: number): number => {
      const old = add(array, index, value);
      if (seen === before && callsSoFar(calls).orders !== before.orders) seen = callsSoFar(calls);
      return old;
    };
    vi.spyOn(Atomics, 'add').mockImplementation(addAndLook as typeof Atomics.add);
    callThreads(calls, 1);
    expect(callsSoFar(calls)).toEqual(seen);
  });
});
