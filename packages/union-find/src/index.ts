export {
  clearFirsts,
  clusterNumber,
  findFirsts,
  markFirsts,
  markFirstsOf,
  NO_FIRST,
  numberOfFirst,
  rankFirsts,
  type ClusterFirsts,
  type PointForest,
} from './clusterNumbers.ts';
export {connectedComponents, type ConnectedComponents} from './connectedComponents.ts';
export {DisjointSets} from './disjointSets.ts';
export {findRoot, flatten, makeSets, uniteByIndex, type ParentArray} from './forest.ts';
export {flattenShared, uniteShared} from './lockFree.ts';
export {createLocks, uniteLocked} from './locked.ts';
export {unite} from './rem.ts';
