/**
 * Search for neighbours. `grid`: in the cells around a point, up to 4 dimensions. `none`: among all pairs, as in the
 * paper. `auto`: the grid up to 4 dimensions, else none.
 */
export type GraphIndex = 'auto' | 'grid' | 'none';
