import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pointCount, type DbscanAlgorithm, type DbscanParams, type PointSet} from '@epsball/clustering';
import type {DbscanLabels} from '@epsball/conformance';
import {writePoints} from '@epsball/datasets';
import type {Tiling} from '../src/tiling/tiling.ts';
import {afterAll} from 'vitest';
import {
  createRun,
  labelRanges,
  labelTiles,
  runLocally,
  runResult,
  type ForcedSizes,
  type RunFiles,
} from '../src/index.ts';

/** A disk in memory, where a file is on the disk at once. Elsewhere it takes milliseconds. */
const MEMORY_DISK = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A new folder, removed after the tests of the file; `memory` for many small files. */
export function temporaryFolder(disk: 'memory' | 'usual' = 'usual'): string {
  const folder = mkdtempSync(join(disk === 'memory' ? MEMORY_DISK : tmpdir(), 'epsball-scale-out-'));
  afterAll(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

/** The result of a finished run, as one. */
export async function collect(files: RunFiles): Promise<DbscanLabels> {
  const {rowCount, clusterCount} = await runResult(files);
  const labels = new Int32Array(rowCount);
  const coreMask = new Uint8Array(rowCount);
  if ((await files.request()).order === 'tile') await collectTiles(files, labels, coreMask);
  else await collectRanges(files, labels, coreMask);
  return {labels, coreMask, clusterCount};
}

async function collectRanges(files: RunFiles, labels: Int32Array, coreMask: Uint8Array): Promise<void> {
  for await (const range of labelRanges(files)) {
    labels.set(range.labels, range.firstRow);
    coreMask.set(range.coreMask, range.firstRow);
  }
}

/** A row of no tile, or of two, becomes label −9. */
async function collectTiles(files: RunFiles, labels: Int32Array, coreMask: Uint8Array): Promise<void> {
  const counts = new Uint8Array(labels.length);
  for await (const tile of labelTiles(files)) {
    tile.rows.forEach((row, k) => {
      counts[row]++;
      labels[row] = tile.labels[k];
      coreMask[row] = tile.coreMask[k];
    });
  }
  counts.forEach((count, row) => {
    if (count !== 1) labels[row] = -9;
  });
}

/** Clusters points through files and tasks, in small pieces; every second run in the order of tiles. */
export function outOfCoreDbscan(folder: string, tilingOf: (points: PointSet, eps: number) => Tiling): DbscanAlgorithm {
  let runs = 0;
  return {
    run: async (points: PointSet, {eps, minPts}: DbscanParams) => {
      const name = `case-${runs++}`;
      const input = join(folder, `${name}.npy`);
      await writePoints(input, points);
      const rows = Math.max(1, Math.ceil(pointCount(points) / 3));
      const forced: ForcedSizes = {tiling: tilingOf(points, eps), chunkRows: rows, rangeRows: rows};
      const order = runs % 2 === 0 ? ('tile' as const) : ('input' as const);
      const options = {eps, minPts, input, work: folder, name, concurrency: 1, order, forced};
      const files = await createRun({...options, tile: {algorithm: 'sequential'}});
      await runLocally(files);
      const result = await collect(files);
      rmSync(join(folder, name), {recursive: true});
      rmSync(input);
      return {...result, stats: {phaseMs: {}, wallMs: 0, counters: {}}};
    },
    destroy: () => undefined,
    [Symbol.dispose]: () => undefined,
  };
}
