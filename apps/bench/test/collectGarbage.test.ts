import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {afterEach, expect, it, vi} from 'vitest';
import {collectGarbage} from '../src/suite/collectGarbage.ts';

afterEach(() => vi.unstubAllGlobals());

it('resolves after the finalizers of the previous run have been called', async () => {
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
  // In another turn of the event loop, so that no stack frame holds the objects.
  await new Promise((resolve) => setTimeout(resolve, 1));
}
