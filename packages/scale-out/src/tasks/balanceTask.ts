import {planTiling} from '../tiling/planTiling.ts';
import {refineTiling, tileBoxes, type TileBox} from '../tiling/tiling.ts';
import {tileBytesPerPoint} from '../memory.ts';
import {ScaleOutError, type RunPlan} from '../run.ts';
import type {RunFiles} from '../runFiles.ts';
import {tilingOfRound, type BalanceFacts, type TilingRound} from '../tilingRounds.ts';
import {countsOfTile, readSegments} from './tilePoints.ts';

const SAMPLE_ROWS = 2 ** 17;
/** As in `plan`: the sample is not exact. */
const FILL = 0.85;

/** Counts the points of each tile, and divides the tiles that are too heavy. */
export async function runBalance(files: RunFiles, round: number): Promise<void> {
  const [{params}, plan, current] = [await files.request(), await files.plan(), await tilingOfRound(files, round)];
  let next: TilingRound | undefined;
  for (let tile = 0; tile < current.tiling.tileCount; tile++) {
    if (current.roundOf[tile] !== round) continue;
    const counts = await countsOfTile(files, tile, round);
    const count = counts.reduce((sum, part) => sum + part, 0);
    if (count <= plan.capacity) continue;
    const sample = await sampleTile(files, plan, tile, round, count);
    const inner = planTiling(sample, {eps: params.eps, rowCount: count, capacity: FILL * plan.capacity});
    if (inner.tileCount === 1) throw poisonTile(plan, params.eps, tileBoxes(current.tiling)[tile], tile, count);
    const refined = refineTiling((next ?? current).tiling, tile, inner);
    const roundOf = [...(next ?? current).roundOf];
    for (const child of refined.tiles) roundOf[child] = round + 1;
    next = {tiling: refined.tiling, roundOf};
  }
  await files.finish({kind: 'balance', index: 0, round}, {next} satisfies BalanceFacts);
}

async function sampleTile(
  files: RunFiles,
  {dim}: RunPlan,
  tile: number,
  round: number,
  count: number,
): Promise<{coords: Float64Array; dim: number}> {
  const stride = Math.max(1, Math.ceil(count / SAMPLE_ROWS));
  const coords = new Float64Array(Math.ceil(count / stride) * dim);
  let done = 0;
  let next = 0;
  let before = 0;
  for await (const segment of readSegments(files, tile, round)) {
    for (; next < before + segment.count; next += stride) {
      const from = (next - before) * dim;
      for (let d = 0; d < dim; d++) coords[done++] = segment.coords[from + d];
    }
    before += segment.count;
  }
  return {coords: coords.subarray(0, done), dim};
}

function poisonTile({dim, precision}: RunPlan, eps: number, box: TileBox, tile: number, count: number): ScaleOutError {
  const needed = Math.ceil((count * tileBytesPerPoint(dim, precision)) / 2 ** 20);
  const sides = box.low.map((low, d) => `[${low}, ${box.high[d]})`).join(' × ');
  return new ScaleOutError(
    'POISON_TILE',
    `tile ${tile}, ${sides}, has ${count} points within a few eps = ${eps}, which cannot be divided: ` +
      `it needs ${needed} MiB for each task; give more memory (--memory), or use fewer tasks at a time (--concurrency), ` +
      'in a run of another name (--run)',
  );
}
