export {GpuUnionFind, type EdgeBuffers, type ParentBuffer} from './gpuUnionFind.ts';
