/** How an input is cut: tiles, of which every workgroup takes as many neighbouring ones. */
export interface TileSpread {
  readonly groups: number;
  readonly tilesPerGroup: number;
}

/**
 * Spreads the tiles of an input over at most `maxGroups` workgroups, so that what is kept for each workgroup has a fixed
 * bound. At least one workgroup, also for an empty input.
 */
export function spreadTiles(count: number, tile: number, maxGroups: number): TileSpread {
  const tiles = Math.max(1, Math.ceil(count / tile));
  const tilesPerGroup = Math.ceil(tiles / maxGroups);
  return {tilesPerGroup, groups: Math.ceil(tiles / tilesPerGroup)};
}
