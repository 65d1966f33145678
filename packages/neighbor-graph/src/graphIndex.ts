/**
 * How neighbours are found: `grid`, in the cells around a point, up to 4 dimensions; `none`, among all pairs, as the paper
 * has it; `auto`, the grid where it takes the dimensions.
 */
export type GraphIndex = 'auto' | 'grid' | 'none';
