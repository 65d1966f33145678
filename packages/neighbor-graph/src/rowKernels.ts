import {Kernel, type Bindable, type BindingName, type BufferSlice, type Gpu} from '@epsball/gpu';
import {exactGridRowsWgsl} from './exactGridRows.wgsl.ts';
import {exactTiledRowsWgsl} from './exactTiledRows.wgsl.ts';
import {gridRowsWgsl} from './gridRows.wgsl.ts';
import {keptRowsWgsl} from './keptRows.wgsl.ts';
import {tiledRowsWgsl} from './tiledRows.wgsl.ts';

/**
 * Which edges i → j are stored; i and j are positions.
 * - `all`: every edge, in both directions (the paper's graph)
 * - `core`: j is core, and i is not core or j < i: each pair of core points once, and the edges of border points
 * - `coreToCore`: both are core, j < i
 * - `borderToCore`: j is core, i is not
 *
 * Over a grid the last three omit most edges that do not change the connected components.
 */
export type EdgeFilter = (typeof EDGE_FILTERS)[number];

/** In the order of the numbers in graph.wgsl. */
export const EDGE_FILTERS = ['all', 'core', 'coreToCore', 'borderToCore'] as const;

/** Arrays of the graph (graph.wgsl). */
export interface RowBindings {
  readonly degrees: GPUBuffer;
  readonly rowLength: GPUBuffer;
  readonly rowStart: GPUBuffer;
  /** A part of the buffer of `rowStart`. */
  readonly undecidedRows: BufferSlice;
  /** One word per row, for rows that several workgroups write. */
  readonly cursors: GPUBuffer;
  /** First columns of all rows, if they are kept. */
  readonly keptColumns: GPUBuffer;
}

type PointBinding = Exclude<
  BindingName<typeof exactGridRowsWgsl, 'makeRowsExactly'>,
  'graph' | 'rowsOut' | keyof RowBindings
>;

/** Points in the form that kernels bind. */
export interface PointBindings {
  readonly isGrid: boolean;
  readonly dim: number;
  /** Whether the grid is sparse. */
  readonly isSparse: boolean;
  readonly isWide: boolean;
  /** Maximum number of points that a row is tested against, if known; else Infinity. */
  readonly maxColumns: number;
  /** Whether software float64 decides every pair. */
  readonly isExactOnly: boolean;
  readonly bindings: Readonly<Record<PointBinding, Bindable>>;
}

/** Parameters of a pipeline for rows. */
type RowShape = Omit<PointBindings, 'bindings' | 'maxColumns' | 'isExactOnly'>;

type RowEntry = 'countNeighbors' | 'makeRows' | 'writeGraph';

/** The kernel for rows that float32 decides, and the kernel for undecided rows. */
type RowPair =
  | readonly [
      Kernel<typeof gridRowsWgsl, 'countNeighbors' | 'makeRows'>,
      Kernel<typeof exactGridRowsWgsl, 'makeRowsExactly'>,
    ]
  | readonly [
      Kernel<typeof tiledRowsWgsl, RowEntry>,
      Kernel<typeof exactTiledRowsWgsl, 'makeRowsExactly' | 'makeRowsExactlyAlone'>,
    ];

/** Kernels over rows, cached with their bind groups. */
export class RowKernels {
  readonly #gpu: Gpu;
  readonly #made = new Map<string, Promise<RowPair>>();
  #kept: Promise<Kernel<typeof keptRowsWgsl, 'filterRows'>> | undefined;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
  }

  /** Compiles the kernels that `loadRows` needs, in parallel. */
  async compile(shape: RowShape): Promise<void> {
    const entryPoints: RowEntry[] = ['countNeighbors', 'makeRows', ...(shape.isGrid ? [] : ['writeGraph' as const])];
    await Promise.all(entryPoints.map((entryPoint) => this.get(entryPoint, shape)));
  }

  /** The kernel of an entry point, and its counterpart for undecided rows. */
  get(entryPoint: RowEntry, {isGrid, dim, isSparse, isWide}: RowShape): Promise<RowPair> {
    // Without a grid one pipeline serves all dimensions.
    const key = [entryPoint, isWide, ...(isGrid ? [dim, isSparse] : [])].join(' ');
    let made = this.#made.get(key);
    if (!made) {
      made = makeKernels(this.#gpu, entryPoint, {isGrid, dim, isSparse, isWide});
      this.#made.set(key, made);
      // A failure may be temporary; the next call tries again.
      made.catch(() => this.#made.delete(key));
    }
    return made;
  }

  /** The kernel that selects rows from existing edges. */
  getKept(): Promise<Kernel<typeof keptRowsWgsl, 'filterRows'>> {
    this.#kept ??= Kernel.create(this.#gpu, keptRowsWgsl, 'filterRows');
    this.#kept.catch(() => (this.#kept = undefined));
    return this.#kept;
  }
}

function makeKernels(
  gpu: Gpu,
  entryPoint: RowEntry,
  {isGrid, dim: DIM, isSparse: IS_SPARSE, isWide: IS_WIDE}: RowShape,
): Promise<RowPair> {
  if (isGrid) {
    return Promise.all([
      Kernel.create(gpu, gridRowsWgsl, entryPoint === 'countNeighbors' ? entryPoint : 'makeRows', {DIM, IS_SPARSE}),
      Kernel.create(gpu, exactGridRowsWgsl, 'makeRowsExactly', {DIM, IS_SPARSE, IS_WIDE}),
    ]);
  }
  return Promise.all([
    Kernel.create(gpu, tiledRowsWgsl, entryPoint),
    gpu.speed === 'hardware'
      ? Kernel.create(gpu, exactTiledRowsWgsl, 'makeRowsExactly', {IS_WIDE})
      : Kernel.create(gpu, exactTiledRowsWgsl, 'makeRowsExactlyAlone', {IS_WIDE}),
  ]);
}
