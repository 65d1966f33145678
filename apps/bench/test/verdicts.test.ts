import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {documents, resultFileSchema, type DbscanResultFile, type ResultFile} from '@epsball/benchmarks';
import {describe, expect, it} from 'vitest';
import {Evidence} from '../src/report/verdicts/evidence.ts';
import {judgeAll} from '../src/report/verdicts/verdicts.ts';

const BASELINES = join(import.meta.dirname, '../../../benchmarks/baselines');

function read(pattern: string): ResultFile[] {
  return globSync(join(BASELINES, pattern)).map((file) =>
    resultFileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))),
  );
}

function readDbscan(pattern: string): DbscanResultFile[] {
  return read(pattern).filter((result) => result.kind === 'dbscan');
}

/** The same results, with every time of a subject multiplied. */
function slowed(results: readonly ResultFile[], row: string, factor: number): ResultFile[] {
  return results.map((result) =>
    result.kind !== 'dbscan'
      ? result
      : {
          ...result,
          cells: result.cells.map((cell) =>
            cell.status !== 'measured' || cell.row !== row || cell.backend !== 'gpu'
              ? cell
              : {...cell, wall: {...cell.wall, medianMs: cell.wall.medianMs * factor}},
          ),
        },
  );
}

describe('verdicts of the entries of the documents', () => {
  it('are one an entry; without results nothing is measured', () => {
    const verdicts = judgeAll(new Evidence([], []));
    const entries = documents.flatMap((document) => document.entries);
    expect(verdicts.map(({entry}) => entry.id)).toEqual(entries.map(({id}) => id));
    for (const {entry, holds} of verdicts) {
      const expected = {suites: 'not measured', code: 'built', nothing: 'absent'}[entry.shown.by];
      expect(holds, entry.id).toBe(expected);
    }
  });

  it('are yes or no, with our figures, for all that the baselines of the H200 measure', () => {
    const verdicts = judgeAll(new Evidence(read('*-nvidia-h200.json'), readDbscan('references/*.json')));
    const measured = verdicts.filter(({entry}) => entry.shown.by === 'suites');
    expect(measured.filter(({holds, ours}) => !['yes', 'no'].includes(holds) || ours === '')).toEqual([]);
  });

  it('follow the results', () => {
    const verdictOf = (results: readonly ResultFile[], id: string): string | undefined =>
      judgeAll(new Evidence(results, [])).find(({entry}) => entry.id === id)?.holds;
    const results = read('*-nvidia-h200.json');
    expect(verdictOf(results, 'mil-c-59x')).toBe('yes');
    expect(verdictOf(slowed(results, 'grid-bfs', 100), 'mil-c-59x')).toBe('no');
    expect(verdictOf(results, 'hy-c-hybrid40')).toBe('yes');
    expect(verdictOf(slowed(results, 'hybrid', 100), 'hy-c-hybrid40')).toBe('no');
  });

  it('mark factors whose baseline is extrapolated or timed in another run', () => {
    const verdicts = judgeAll(new Evidence(read('*-nvidia-h200.json'), readDbscan('references/*.json')));
    const ours = (id: string): string | undefined => verdicts.find(({entry}) => entry.id === id)?.ours;
    expect(ours('dc-fig7a')).toMatch(/^[\d,.]+× to †\s/);
    // The slow end from a run of references, the fast end from the run itself.
    expect(ours('dc-fig7d')).toMatch(/^‡\s[\d,.]+× to [\d,.]+×$/);
  });
});
