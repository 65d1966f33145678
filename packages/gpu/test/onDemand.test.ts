import {expect, it} from 'vitest';
import {OnDemand} from '@epsball/gpu';

function counting(): {created: number; destroyed: number; create: () => Promise<{destroy(): void}>} {
  const counts = {
    created: 0,
    destroyed: 0,
    create: async () => {
      counts.created++;
      return {destroy: () => void counts.destroyed++};
    },
  };
  return counts;
}

it('creates the object once, at the first call', async () => {
  const counts = counting();
  const onDemand = new OnDemand(counts.create);
  expect(onDemand.created).toBeUndefined();
  const [one, other] = await Promise.all([onDemand.get(), onDemand.get()]);
  expect(one).toBe(other);
  expect(onDemand.created).toBe(one);
  onDemand.destroy();
  expect(counts).toMatchObject({created: 1, destroyed: 1});
});

it('tries again after a failure', async () => {
  let calls = 0;
  const onDemand = new OnDemand(async () => {
    if (++calls === 1) throw new Error('first');
    return {destroy: () => undefined};
  });
  await expect(onDemand.get()).rejects.toThrow('first');
  await onDemand.get();
  expect(calls).toBe(2);
});

it('destroys what is created after destroy()', async () => {
  const counts = counting();
  const onDemand = new OnDemand(counts.create);
  const coming = onDemand.get();
  onDemand.destroy();
  await coming;
  expect(counts.destroyed).toBe(1);
});

it('creates nothing for destroy()', () => {
  const counts = counting();
  new OnDemand(counts.create).destroy();
  expect(counts.created).toBe(0);
});
