// The suites of the pool again, on the other engine.
import {globSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {host} from '#host';
import {startNodeWorker} from '../src/host/nodeThread.ts';
import './useMessageThreads.ts';

const OTHERS = ['evenBounds', 'lateReplies', 'onMessageThreads', 'permission', 'replaceableThreads', 'sharedArena'];
const suites = globSync('*.test.ts', {cwd: import.meta.dirname}).filter((file) => !OTHERS.includes(file.slice(0, -8)));

describe('on threads without piscina', async () => {
  it('runs here', () => {
    expect(host.startThread).toBe(startNodeWorker);
    expect(suites).toEqual(expect.arrayContaining(['workerPool.test.ts', 'overlappingWaves.test.ts']));
  });
  for (const suite of suites) await import(`./${suite}`);
});
