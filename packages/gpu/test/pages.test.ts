import {touchPages} from '@epsball/gpu';
import {expect, it} from 'vitest';

it('touches new arrays, which stay zeros', async () => {
  const arrays = [new Float64Array(100_000), new Int32Array(3), new Float64Array(0)];
  await Promise.all(arrays.map(touchPages));
  for (const array of arrays) expect(array.every((value) => value === 0)).toBe(true);
});
