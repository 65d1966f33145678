import type {Tiling} from './tiling/tiling.ts';
import type {RunFiles} from './runFiles.ts';

/** What `balance` decides after the points are counted. */
export interface BalanceFacts {
  /** Absent if no tile is too heavy: the tiles can be clustered. */
  readonly next?: TilingRound | undefined;
}

export interface TilingRound {
  readonly tiling: Tiling;
  /** By tile: the round whose chunks hold its points. */
  readonly roundOf: readonly number[];
}

export async function tilingOfRound(files: RunFiles, round: number): Promise<TilingRound> {
  if (round === 0) {
    const {tiling} = await files.plan();
    return {tiling, roundOf: Array<number>(tiling.tileCount).fill(0)};
  }
  const {next} = await files.facts<BalanceFacts>({kind: 'balance', index: 0, round: round - 1});
  if (next === undefined) throw new Error(`round ${round} of run ${files.name} does not exist`);
  return next;
}

/** The tiling after the last round. */
export async function finalTiling(files: RunFiles): Promise<TilingRound> {
  for (let round = 0; ; round++) {
    const {next} = await files.facts<BalanceFacts>({kind: 'balance', index: 0, round});
    if (next === undefined) return tilingOfRound(files, round);
  }
}
