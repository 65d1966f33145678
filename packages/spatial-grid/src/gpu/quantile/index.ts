export {
  GpuDirectoryBuilder,
  type DirectoryBindings,
  type GpuDirectory,
  type GpuDirectoryOptions,
} from './gpuDirectory.ts';
export {directoryStructs} from './directory.wgsl.ts';
