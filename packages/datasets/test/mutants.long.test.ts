import {describe, expect, it} from 'vitest';
import {FORMATS, GROWTH_MAX, readMutants} from './mutants.ts';

/** A file of these is read on a thread of its own. `runMutants.ts` damages more. */
const COUNTS: Readonly<Record<string, number>> = {hdf5: 150, parquet: 150, arrow: 150};

describe('damaged files', () => {
  it.for(Object.keys(FORMATS))(
    '%s: each gives points or one clear error, none hangs, crashes or grows',
    async (name) => {
      const {faults, descriptors, growth, refused} = await readMutants(name, COUNTS[name] ?? 1000, 1);
      expect(faults).toEqual([]);
      expect(descriptors).toBeLessThanOrEqual(0);
      expect(growth).toBeLessThan(GROWTH_MAX);
      expect(refused).toBeGreaterThan(0);
    },
  );
});
