import {DBSCAN_PHASES, type DbscanPhase, type Progress} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import type {DbscanCase} from '../case.ts';
import {judgeCase} from '../judge.ts';
import {blobs, spiral} from '../shapes.ts';
import type {DbscanSubject, SharedAlgorithm} from './subject.ts';

/** Maximum number of reports per run ("a few hundred" in the contract). */
const REPORTS_MAX = 1000;

/** Registers the tests of several runs of one instance, and of the reports of a run. */
export function describeRuns(subject: DbscanSubject, shared: SharedAlgorithm): void {
  const dim = Math.min(2, subject.maxDim);
  describeSeveralRuns(dim, subject, shared);
  describeReports(dim, subject, shared);
}

function clustered(dim: number, n: number): DbscanCase {
  return {name: `${n} points`, dim, params: {eps: 0.05, minPts: 5}, points: () => blobs('float32', dim, n, {seed: n})};
}

function describeSeveralRuns(dim: number, {maxDim, isBrief}: DbscanSubject, shared: SharedAlgorithm): void {
  describe('over several runs', () => {
    it('returns the same bytes when run twice on the same points', async (context) => {
      const algorithm = shared.get(context);
      const {points, params} = clustered(dim, 3000);
      const input = points();
      const first = await algorithm.run(input, params);
      const kept = {labels: first.labels.slice(), coreMask: first.coreMask.slice()};
      const second = await algorithm.run(input, params);
      expect({labels: second.labels, coreMask: second.coreMask}).toEqual(kept);
      expect({labels: first.labels, coreMask: first.coreMask}, 'the first result belongs to the caller').toEqual(kept);
    });

    it('supports sets that grow and shrink, in one instance', async (context) => {
      const algorithm = shared.get(context);
      for (const n of [10, 3000, 0, 257, 1, 2000, 256, 5, 0, 1500]) {
        expect(await judgeCase(algorithm, clustered(dim, n)), `${n} points`).toBeNull();
      }
    });

    it.skipIf(isBrief)('supports another dimension and precision in each run', async (context) => {
      const algorithm = shared.get(context);
      for (const d of [1, 2, 3, 4, 3, 2, 1].filter((wanted) => wanted <= maxDim)) {
        for (const precision of ['float32', 'float64'] as const) {
          const points = (): ReturnType<typeof blobs> => blobs(precision, d, 200, {seed: d});
          const testCase = {name: '', dim: d, params: {eps: 0.06, minPts: 4}, points};
          expect(await judgeCase(algorithm, testCase), `${d}-D ${precision}`).toBeNull();
        }
      }
    });

    it('returns new arrays to every caller', async (context) => {
      const algorithm = shared.get(context);
      const testCase = clustered(dim, 200);
      const first = await algorithm.run(testCase.points(), testCase.params);
      first.labels.fill(77);
      first.coreMask.fill(77);
      expect(await judgeCase(algorithm, testCase)).toBeNull();
    });
  });
}

function describeReports(dim: number, {isBrief}: DbscanSubject, shared: SharedAlgorithm): void {
  describe('reports', () => {
    it('has the times of the phases by name', async (context) => {
      const {points, params} = clustered(dim, 1000);
      const {stats} = await shared.get(context).run(points(), params);
      const phases: readonly string[] = DBSCAN_PHASES;
      expect(Object.keys(stats.phaseMs).filter((phase) => !phases.includes(phase))).toEqual([]);
      expect(Object.values({...stats.phaseMs, wall: stats.wallMs}).filter((ms) => !(ms >= 0))).toEqual([]);
    });

    it.skipIf(isBrief)('reports progress a bounded number of times, even with thousands of levels', async (context) => {
      const reports: Progress<DbscanPhase>[] = [];
      const points =
        dim === 2 ? spiral('float32', 4000, 1) : {dim, coords: Float32Array.from({length: 4000}, (_, i) => i)};
      await shared.get(context).run(points, {eps: 1.5, minPts: 2}, {onProgress: (progress) => reports.push(progress)});
      expect(reports.length).toBeLessThanOrEqual(REPORTS_MAX);
      expect(reports.filter(({phase}) => !DBSCAN_PHASES.includes(phase))).toEqual([]);
      expect(reports.filter(({done, total}) => !(done >= 0 && done <= total))).toEqual([]);
    });
  });
}
