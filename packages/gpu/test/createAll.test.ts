import {describe, expect, it} from 'vitest';
import {createAll} from '../src/index.ts';

describe('createAll', () => {
  it('returns the created objects in order', async () => {
    const [first, second] = await createAll([later('a', 5), Promise.resolve(2)]);
    expect([first, second]).toEqual(['a', 2]);
  });

  it('destroys the others if one fails, also those created later', async () => {
    const destroyed: string[] = [];
    const owner = (name: string): {destroy: () => void} => ({destroy: () => void destroyed.push(name)});
    const creations = [later(owner('late'), 5), Promise.reject(new Error('no room')), Promise.resolve(owner('early'))];
    await expect(createAll([...creations, Promise.resolve(null), Promise.resolve({})])).rejects.toThrow('no room');
    expect(destroyed).toEqual(['late', 'early']);
  });
});

async function later<T>(value: T, ms: number): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return value;
}
