import {readFileSync} from 'node:fs';
import {catalogue} from '@epsball/dbscan';
import {generateDataset} from '@epsball/datasets';
import {CITIES_CREDIT} from '@epsball/datasets/cities';
import {describe, expect, it} from 'vitest';
import {claims, figures, keyText, planSuite, suites, type CellQuery} from '../src/index.ts';

const PROFILES = ['quick', 'full'] as const;

describe.for(suites.map((suite) => ({id: suite.id, suite})))('suite $id', ({suite}) => {
  it('names each cell once in a profile', () => {
    for (const profile of PROFILES) {
      const names = planSuite(suite, profile, catalogue, 16).map(({workload, subject}) =>
        keyText({...workload, ...subject}),
      );
      expect(names.filter((name, k) => names.indexOf(name) !== k)).toEqual([]);
      expect(names.length).toBeGreaterThan(0);
    }
  });

  if (suite.kind !== 'primitives')
    it('states the size and dimension that its data set has', () => {
      const generated = suite.profiles.quick.workloads.filter(({dataset, n}) => dataset !== 'cities' && n <= 10_000);
      for (const {dataset, n, dim} of generated) {
        const points = generateDataset(dataset);
        expect({n: points.coords.length / points.dim, dim: points.dim}).toEqual({n, dim});
      }
    });
});

/** Every cell of the full profiles, on 16 threads, as queries name them. */
const PLANNED = suites.flatMap((suite) =>
  planSuite(suite, 'full', catalogue, 16).map(({workload, subject}) => ({suite: suite.id, workload, subject})),
);

function isPlanned({suite, dataset, n, dim, params = {}, row, backend, threads = 1, options = {}}: CellQuery): boolean {
  return PLANNED.some(
    ({suite: id, workload, subject}) =>
      id === suite &&
      (dataset ?? workload.dataset) === workload.dataset &&
      (n ?? workload.n) === workload.n &&
      (dim ?? workload.dim) === workload.dim &&
      Object.entries(params).every(([name, value]) => workload.params[name] === value) &&
      subject.row === row &&
      subject.backend === backend &&
      (subject.threads ?? 1) === threads &&
      JSON.stringify(subject.options ?? {}) === JSON.stringify(options),
  );
}

describe('the full profiles', () => {
  it.for(claims.map((claim) => ({id: claim.id, claim})))('measure every cell that the claim $id names', ({claim}) => {
    const queries = claim.relations.flatMap(({terms}) => terms.map(({cell}) => cell));
    expect(queries.filter((query) => !isPlanned(query))).toEqual([]);
  });

  it('measure every cell that a figure shows', () => {
    const queries = Object.values(figures).flatMap(({charts = [], tables = [], shares = []}) => [
      ...charts.flatMap(({series}) => series.flatMap(({points}) => points.flatMap(({quantity}) => quantity.terms))),
      ...tables.flatMap(({rows}) =>
        rows.flat().flatMap((cell) => (typeof cell === 'object' && 'terms' in cell ? cell.terms : [])),
      ),
      ...shares.flatMap(({bars}) => bars.map(({cell}) => ({cell}))),
    ]);
    expect(queries.length).toBeGreaterThan(300);
    expect(queries.map(({cell}) => cell).filter((query) => !isPlanned(query))).toEqual([]);
  });
});

describe('the suites', () => {
  it('run 130 seconds at most without names', () => {
    const usual = suites.filter(({isUsual}) => isUsual === true);
    expect(usual.map(({id}) => id)).toEqual([
      'real',
      'milanesi',
      'threads',
      'gdbscan-hybrid',
      'variants',
      'mean-shift',
    ]);
  });

  it('credit GeoNames with the line that the data set asks for', () => {
    expect(suites.find(({id}) => id === 'real')?.credits).toEqual([CITIES_CREDIT]);
  });

  it('are all in METHOD.md', () => {
    const method = readFileSync(new URL('../METHOD.md', import.meta.url), 'utf8');
    for (const {id} of suites) expect(method).toContain(`\`${id}\``);
  });
});
