import {describe, expect, it} from 'vitest';
import {suites} from '../src/suites.ts';
import {suitesNamed} from '../src/suitesNamed.ts';

describe('suitesNamed', () => {
  it('finds every suite by its id', () => {
    for (const suite of suites) expect(suitesNamed(suite.id)).toContain(suite);
  });

  it('finds those that have a document in common by what their ids begin with, up to a dash', () => {
    const [{id}] = suites;
    expect(suitesNamed(id.slice(0, -1))).toEqual([]);
    for (const suite of suites) {
      const [name] = suite.id.split('-', 1);
      expect(suitesNamed(name)).toContain(suite);
    }
  });

  it('finds none where there is no such suite', () => {
    expect(suitesNamed('nonesuch')).toEqual([]);
  });
});
