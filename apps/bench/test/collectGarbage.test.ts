import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {afterEach, expect, it, vi} from 'vitest';
import {collectGarbage} from '../src/suite/collectGarbage.ts';

afterEach(() => vi.unstubAllGlobals());

it('has called the finalizers of what the run before left when it resolves, so that the next one need not', async () => {
  setFlagsFromString('--expose-gc');
  vi.stubGlobal('gc', runInNewContext('gc'));
  const freed: string[] = [];
  const registry = new FinalizationRegistry((what: string) => freed.push(what));
  await runBefore(registry);
  await collectGarbage();
  expect(freed).toEqual(['of the run before']);
});

async function runBefore(registry: FinalizationRegistry<string>): Promise<void> {
  registry.register(new Int32Array(8), 'of the run before');
  // In a turn of its own, so that no frame of this one holds what it has made.
  await new Promise((resolve) => setTimeout(resolve, 1));
}
