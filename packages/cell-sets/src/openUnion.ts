import type {SearchSpace} from './forest.ts';
import {isLeafIndex} from './leafIndex.ts';
import {LeafUnion} from './leafUnion.ts';
import {LocalUnion} from './localUnion.ts';
import type {PairList} from './pairList.ts';
import type {Pieces} from './pieces.ts';
import type {Unite} from './pointUnion.ts';

/**
 * Opens the unions of a run of cells. The first parameters are those of `LocalUnion`.
 *
 * @param unite  with an index of leaves: unites points of all runs, while other threads do so
 */
export function openUnion(
  space: SearchSpace,
  firstCell: number,
  pieces: Pieces,
  pairs: PairList,
  unite: Unite,
): LocalUnion | LeafUnion {
  const {index} = space;
  return isLeafIndex(index) ? new LeafUnion(space, index, unite) : new LocalUnion(space, firstCell, pieces, pairs);
}
