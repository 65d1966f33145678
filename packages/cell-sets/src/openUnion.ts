import type {SearchSpace} from './forest.ts';
import {isLeafIndex} from './leafIndex.ts';
import {LeafUnion} from './leafUnion.ts';
import {LocalUnion} from './localUnion.ts';
import type {PairList} from './pairList.ts';
import type {Pieces} from './pieces.ts';

/** Local computation over a run of cells. Parameters as for `LocalUnion`. */
export function openUnion(
  space: SearchSpace,
  firstCell: number,
  pieces: Pieces,
  pairs: PairList,
): LocalUnion | LeafUnion {
  const {index} = space;
  return isLeafIndex(index)
    ? new LeafUnion(space, index, firstCell, pairs)
    : new LocalUnion(space, firstCell, pieces, pairs);
}
