export {buildKdTree, divideKdNode, layKdTree, splitKdNode, type KdNode, type KdTreeOptions} from './buildKdTree.ts';
export {boxFarSquared, boxNearSquared, boxesNearSquared} from './boxDistance.ts';
export {KD_DIM_MAX, KD_LEAF_POINTS, type KdTree} from './kdTree.ts';
export {KdNearest} from './kdNearest.ts';
export {KdRange} from './kdRange.ts';
export {squaredOfFour} from './squaredOfFour.ts';
