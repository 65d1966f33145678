export {
  GpuDirectoryBuilder,
  type DirectoryBindings,
  type DirectoryPoints,
  type GpuDirectory,
  type GpuDirectoryOptions,
} from './gpuDirectory.ts';
export type {LevelSorting} from './levelSort.ts';
