import {afterEach, describe, expect, it, vi} from 'vitest';
import {awaitCall, callsSoFar, callThreads, createCalls} from '../src/calls.ts';

describe('the calls of a pool', () => {
  afterEach(() => vi.restoreAllMocks());

  it('end a wait at once after an order', () => {
    const calls = createCalls(2);
    const seen = callsSoFar(calls);
    callThreads(calls, 1);
    const wait = vi.spyOn(Atomics, 'wait');
    awaitCall(calls, seen);
    expect(wait).toHaveReturnedWith('not-equal');
  });
});
