import {describe, expect, it} from 'vitest';
import {InstanceCache} from '../src/catalogue/instanceCache.ts';

class Owner {
  isDestroyed = false;

  destroy(): void {
    this.isDestroyed = true;
  }
}

const REASON = new Error('dropped');

describe('InstanceCache', () => {
  it('creates once for all calls, at the same time and later', async () => {
    const cache = new InstanceCache<Owner>();
    let creations = 0;
    const create = async (): Promise<Owner> => {
      creations++;
      return new Owner();
    };
    const [a, b] = await Promise.all([cache.get('a', create), cache.get('a', create)]);
    expect(a).toBe(b);
    expect(await cache.get('a', create)).toBe(a);
    expect(await cache.get('b', create)).not.toBe(a);
    expect(creations).toBe(2);
  });

  it('tries again after a creation that failed', async () => {
    const cache = new InstanceCache<Owner>();
    await expect(cache.get('a', () => Promise.reject(new Error('first')))).rejects.toThrow('first');
    expect(await cache.get('a', async () => new Owner())).toBeInstanceOf(Owner);
  });

  it('destroys what it drops, complete or not, and creates it anew', async () => {
    const cache = new InstanceCache<Owner>();
    const complete = await cache.get('a', async () => new Owner());
    cache.drop('a', REASON);
    expect(complete.isDestroyed).toBe(true);
    const late = new Owner();
    const begun = Promise.withResolvers<void>();
    const creation = Promise.withResolvers<Owner>();
    const waiting = cache.get('a', () => {
      begun.resolve();
      return creation.promise;
    });
    await begun.promise;
    cache.drop('a', REASON);
    const next = await cache.get('a', async () => new Owner());
    creation.resolve(late);
    await expect(waiting).rejects.toBe(REASON);
    expect(late.isDestroyed).toBe(true);
    expect(next.isDestroyed).toBe(false);
    expect(cache.keys()).toEqual(['a']);
  });

  it('creates nothing once it is closed', async () => {
    const cache = new InstanceCache<Owner>();
    const complete = await cache.get('a', async () => new Owner());
    cache.close(REASON);
    cache.close(new Error('second'));
    expect(complete.isDestroyed).toBe(true);
    await expect(cache.get('a', async () => new Owner())).rejects.toBe(REASON);
  });
});
