import {Scratch, type BufferSlice} from '@epsball/gpu';

/**
 * The buffer of each array, if it is that of another one. Arrays of one buffer are not needed at the same time, as the
 * steps follow one another.
 */
const BUFFER_OF: Readonly<Record<string, string>> = {
  // Points in Morton order, until boxes are laid.
  givenWords: 'edges',
  given: 'found',
  mortonKeys: 'lightest',
  otherMortonKeys: 'names',
  sortedOrder: 'parent',
  otherSortedOrder: 'core',
  // Core distances, until rounds begin.
  lists: 'lightest',
  // Edges by weight: boxes, coordinates and rounds are needed no more. The first three are of the result.
  coreByPoint: 'boxes',
  edgeKeys: 'names',
  otherEdgeKeys: 'words',
  edgeOrder: 'parent',
  otherEdgeOrder: 'lightest',
  // Basins.
  ends: 'found',
  otherEnds: 'relative',
  links: 'edges',
  starts: 'core',
  basins: 'lightest',
};

/** A device’s `minStorageBufferOffsetAlignment` is at most this. */
const ALIGNMENT = 256;
/** So that a buffer need not grow for parts: the bytes of their alignment. */
const SLACK = 4 * ALIGNMENT;

/** The work buffers of a run, of which several steps use the same. */
export class DeviceMemory extends Scratch {
  /** @param what  of one step; its content is lost when an array of the same buffer is taken for a later step */
  override take(what: string, bytes: number): GPUBuffer {
    return super.take(BUFFER_OF[what] ?? what, bytes + SLACK);
  }

  /**
   * Arrays of equal size in one buffer. A kernel may write one of them only if it does not declare another one
   * read-only.
   *
   * @param count  at most 4
   */
  takeParts(what: string, bytes: number, count: number): BufferSlice[] {
    const size = ALIGNMENT * Math.ceil(bytes / ALIGNMENT);
    const buffer = super.take(BUFFER_OF[what] ?? what, size * count);
    return Array.from({length: count}, (_, k) => ({buffer, offset: size * k, size: bytes}));
  }
}
