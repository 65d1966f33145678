import {InvalidParameterError, type PointSet} from '@epsball/clustering';
import {
  BACKENDS,
  describeAllowed,
  describeOptions,
  resolveOptions,
  type OptionValue,
} from '@epsball/clustering/catalogue';
import {describe, expect, it} from 'vitest';
import {catalogue} from '../src/catalogue.ts';
import type {CatalogueRow} from '../src/catalogueRow.ts';
import {createDbscan, dbscan} from '../src/dbscan.ts';
import {rankChoices, validateRequest} from './ranked.ts';

const POINTS: PointSet = {coords: new Float32Array([0, 0, 1, 0, 50, 0, 9, 9, 9, 10]), dim: 2};
const PARAMS = {eps: 1, minPts: 2};

const OPTIONS = describeOptions({
  index: {description: 'index for neighbours', values: ['none', 'grid'], defaultValue: 'grid'},
  chains: {description: 'chains at a time', min: 1, max: 256, defaultValue: 64},
  bytes: {description: 'bytes at a time', min: 16, max: 1024, defaultValue: 'auto'},
});

function rowOf(id: string): CatalogueRow {
  const row = catalogue.find((one) => one.id === id);
  if (row === undefined) throw new Error(`no row ${id}`);
  return row;
}

describe('resolveOptions', () => {
  it('fills in options that are missing or undefined', () => {
    expect(resolveOptions(OPTIONS, {}, 'it')).toEqual({index: 'grid', chains: 64, bytes: 'auto'});
    expect(resolveOptions(OPTIONS, {index: undefined, chains: 1, bytes: 1024}, 'it')).toEqual({
      index: 'grid',
      chains: 1,
      bytes: 1024,
    });
  });

  it.each([
    [{index: 'tree'}, 'index = "tree"; expected one of none, grid'],
    [{index: 1}, 'index = 1; expected one of none, grid'],
    [{chains: 0}, 'chains = 0; expected an integer from 1 to 256'],
    [{chains: 257}, 'chains = 257; expected an integer from 1 to 256'],
    [{chains: 1.5}, 'chains = 1.5; expected an integer from 1 to 256'],
    [{chains: '8'}, 'chains = "8"; expected an integer from 1 to 256'],
    [{chains: 'auto'}, 'chains = "auto"; expected an integer from 1 to 256'],
    [{bytes: 8}, 'bytes = 8; expected an integer from 16 to 1024, or auto'],
    [{links: 8}, 'option = "links"; expected one of index, chains, bytes for it'],
  ])('refuses %j', (values, message) => {
    expect(() => resolveOptions(OPTIONS, values, 'it')).toThrow(InvalidParameterError);
    expect(() => resolveOptions(OPTIONS, values, 'it')).toThrow(message);
  });

  it('rejects values that break a rule, after values that are not allowed', () => {
    const rule = {words: 'low ≤ high', holds: ({low, high}: Readonly<Record<string, OptionValue>>) => low <= high};
    const bounds = describeOptions({
      low: {description: 'the lower bound', min: 0, max: 9, defaultValue: 3, rule},
      high: {description: 'the upper bound', min: 0, max: 9, defaultValue: 6},
    });
    expect(resolveOptions(bounds, {low: 6}, 'it')).toEqual({low: 6, high: 6});
    expect(() => resolveOptions(bounds, {low: 7}, 'it')).toThrow(
      'low = 7; expected an integer from 0 to 9; low ≤ high',
    );
    expect(() => resolveOptions(bounds, {high: 2}, 'it')).toThrow('low = 3; expected');
    expect(() => resolveOptions(bounds, {low: 7, high: 10}, 'it')).toThrow('high = 10; expected');
  });

  it('rejects an option of a variant without options', () => {
    expect(() => resolveOptions([], {index: 'none'}, 'it')).toThrow('option = "index"; expected no options for it');
  });
});

describe('the catalogue’s options', () => {
  it('have an allowed default, a description in one line, and names that no other parameter has', () => {
    const taken = ['eps', 'minPts', 'algorithm', 'backend', 'threads', 'adapter', 'device', 'gpu', 'signal', 'options'];
    for (const row of catalogue) {
      for (const backend of BACKENDS) {
        const options = row.on[backend]?.options ?? [];
        expect(Object.keys(resolveOptions(options, {}, row.id))).toEqual(options.map(({name}) => name));
        for (const option of options) {
          expect(taken).not.toContain(option.name);
          expect(option.description).toMatch(/^[^\n]+[^.\n]$/);
          expect(describeAllowed(option)).toMatch(/^(?:one of|an integer from) /);
        }
      }
    }
  });

  it('list the backends with threads', () => {
    expect(rowOf('pds').threadedBackends).toEqual(['workers']);
    expect(rowOf('sequential').threadedBackends).toEqual([]);
  });

  it('reach the variant', async () => {
    using none = await rowOf('sequential').create({backend: 'sequential', options: {index: 'none'}});
    using grid = await rowOf('sequential').create({backend: 'sequential', options: {index: 'grid'}});
    const testsOf = async (algorithm: typeof none): Promise<number> =>
      (await algorithm.run(POINTS, PARAMS)).stats.counters['neighborTests'];
    expect(await testsOf(none)).toBe(25);
    expect(await testsOf(grid)).toBeLessThan(25);
    using sets = await rowOf('pds').create({backend: 'sequential', options: {index: 'grid'}});
    await expect(sets.run({coords: new Float32Array(10), dim: 5}, PARAMS)).rejects.toThrow('pds with index grid');
    const threads = {backend: 'workers' as const, threads: 2};
    const options = {index: 'none', union: 'lock', partition: 'index', pointsPerChunk: 1};
    using workers = await rowOf('pds').create({...threads, options});
    expect([...(await workers.run(POINTS, PARAMS)).labels]).toEqual([0, 0, -1, 1, 1]);
  });

  it('are checked before a variant is loaded', async () => {
    await expect(rowOf('pds').create({backend: 'sequential', options: {union: 'lock'}})).rejects.toThrow(
      'option = "union"; expected one of index for pds on sequential',
    );
    await expect(rowOf('sequential').create({backend: 'sequential', options: {index: 'tree'}})).rejects.toThrow(
      'index = "tree"; expected one of auto, ',
    );
  });
});

describe('dbscan with options of a variant', () => {
  it('passes them on, and returns all of them', async () => {
    const outcome = await dbscan(POINTS, {...PARAMS, algorithm: 'sequential', options: {index: 'none'}});
    expect(outcome.options).toMatchObject({index: 'none'});
    expect(outcome.stats.counters['neighborTests']).toBe(25);
    expect((await dbscan(POINTS, PARAMS)).options).toMatchObject({index: 'auto'});
  });

  it('chooses a backend that has the options', () => {
    const request = {algorithm: 'pds', backend: 'auto', options: {union: 'lock'}} as const;
    expect(rankChoices(request, {n: 10, dim: 2, isOneShot: false}, false).map(({backend}) => backend)).toEqual([
      'workers',
    ]);
  });

  it.each([
    [{options: {index: 'none'}}, 'algorithm = "auto"; expected the name of an algorithm with the options index'],
    [{algorithm: 'pds', options: {chains: 1}}, 'option = "chains"; expected one of index, union, partition'],
    [{algorithm: 'pds', options: {union: 'rank'}}, 'union = "rank"; expected one of lock-free, lock'],
    [{algorithm: 'grid-bfs', options: {index: 'none'}}, 'option = "index"; expected no options for grid-bfs'],
    [
      {algorithm: 'pds', backend: 'sequential' as const, options: {union: 'lock'}},
      'option = "union"; expected one of index for pds on sequential',
    ],
    [
      {algorithm: 'dclust', options: {fanout: 102}},
      'fanout = 102; expected an integer from 2 to 1048576, or auto; fanout ^ levels ≤ 1048576',
    ],
    [{algorithm: 'sequential', options: {fanout: 33, levels: 4}}, 'fanout = 33; expected an integer from 2 to 1048576'],
    [
      {algorithm: 'dclust', options: {pca: 'on', index: 'none'}},
      'pca = "on"; expected one of off, on; on needs index directory',
    ],
  ])('refuses %j before any run', async (options, message) => {
    await expect(createDbscan(options)).rejects.toThrow(message);
  });

  it('accepts options that are all undefined without an algorithm', () => {
    expect(() => validateRequest({algorithm: 'auto', backend: 'auto', options: {index: undefined}})).not.toThrow();
  });
});
