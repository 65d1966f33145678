import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {afterEach, expect, it, vi} from 'vitest';
import {collectGarbage} from '../src/suite/collectGarbage.ts';

afterEach(() => vi.unstubAllGlobals());

it('has freed what the run before left when it resolves, so that the next one need not', async () => {
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
  // What a job has registered lives until it has ended.
  await new Promise((resolve) => setTimeout(resolve, 1));
}
