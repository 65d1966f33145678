import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pointCount, type DbscanAlgorithm, type DbscanParams, type PointSet} from '@epsball/clustering';
import type {DbscanLabels} from '@epsball/conformance';
import {writePoints} from '@epsball/datasets';
import type {Tiling} from '@epsball/tiling';
import {afterAll} from 'vitest';
import {createRun, labelRanges, runLocally, runResult, type ForcedSizes, type RunFiles} from '../src/index.ts';

/** A new folder, removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'epsball-scale-out-'));
  afterAll(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

/** The result of a finished run, as one. */
export async function collect(files: RunFiles): Promise<DbscanLabels> {
  const {rowCount, clusterCount} = await runResult(files);
  const labels = new Int32Array(rowCount);
  const coreMask = new Uint8Array(rowCount);
  for await (const range of labelRanges(files)) {
    labels.set(range.labels, range.firstRow);
    coreMask.set(range.coreMask, range.firstRow);
  }
  return {labels, coreMask, clusterCount};
}

/** Clusters points through files and tasks, in small pieces. */
export function outOfCoreDbscan(folder: string, tilingOf: (points: PointSet, eps: number) => Tiling): DbscanAlgorithm {
  let runs = 0;
  return {
    run: async (points: PointSet, params: DbscanParams) => {
      const name = `case-${runs++}`;
      const input = join(folder, `${name}.npy`);
      await writePoints(input, points);
      const rows = Math.max(1, Math.ceil(pointCount(points) / 3));
      const forced: ForcedSizes = {tiling: tilingOf(points, params.eps), chunkRows: rows, rangeRows: rows};
      const options = {...params, input, work: folder, name, concurrency: 1, forced};
      const files = await createRun({...options, tile: {algorithm: 'sequential'}});
      await runLocally(files);
      const result = await collect(files);
      rmSync(join(folder, name), {recursive: true});
      return {...result, stats: {phaseMs: {}, wallMs: 0, counters: {}}};
    },
    destroy: () => undefined,
    [Symbol.dispose]: () => undefined,
  };
}
