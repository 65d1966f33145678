export {connectedComponents, type ConnectedComponents} from './connectedComponents.ts';
export {DisjointSets} from './disjointSets.ts';
export {findRoot, flatten, makeSets, type ParentArray} from './forest.ts';
export {flattenShared, uniteShared} from './lockFree.ts';
export {createLocks, uniteLocked} from './locked.ts';
export {unite} from './rem.ts';
export {uniteByIndex} from './unionByIndex.ts';
