import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {resultFileSchema} from '../src/index.ts';
import {cellOf, oneProcess, resultOf} from './fixture.ts';

const BASELINES = join(import.meta.dirname, '../baselines');
const CELL = cellOf({suite: 'milanesi', row: 'sequential', backend: 'sequential'}, oneProcess(2));

describe('resultFileSchema', () => {
  it('gives back a result file as it is', () => {
    const {dataset, n, dim, params, row, backend, threads, options} = CELL;
    const key = {dataset, n, dim, params, row, backend, threads, options};
    const result = resultOf('milanesi', [
      CELL,
      {...key, status: 'failed', reason: 'labels differ'},
      {...key, status: 'leftOut', reason: 'too large'},
      {...key, status: 'estimated', reason: 't = n²', ms: 5},
    ]);
    expect(resultFileSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
  });

  it('refuses a time without a verification, an unknown status, and another format or version', () => {
    const result = resultOf('milanesi', [CELL]);
    for (const cells of [[{...CELL, verified: []}], [{...CELL, status: 'guessed'}]]) {
      expect(resultFileSchema.safeParse({...result, cells}).success).toBe(false);
    }
    expect(resultFileSchema.safeParse({...result, format: 'other'}).success).toBe(false);
    expect(resultFileSchema.safeParse({...result, version: 1}).success).toBe(false);
  });

  it('takes every baseline that is kept', () => {
    const files = globSync('{*,quick/*,references/*}.json', {cwd: BASELINES});
    expect(files.length).toBeGreaterThan(60);
    for (const file of files) {
      const parsed = resultFileSchema.safeParse(JSON.parse(readFileSync(join(BASELINES, file), 'utf8')));
      expect(parsed.error?.issues[0], file).toBeUndefined();
    }
  });
});
