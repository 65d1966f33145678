export {clusterOnGpus, type ClusteredOnGpus, type ClusterOnGpusOptions} from './clusterOnGpus.ts';
export {createRun, defaultConcurrency, openRun, removeRun, type RunOptions} from './createRun.ts';
export type {GpuPlace} from './gpus/gpuProcesses.ts';
export {hostGpus} from './gpus/hostGpus.ts';
export {listInputs, readInput} from './input/inputFiles.ts';
export {MEMORY_MIN, sizesFor, tileBytesPerPoint, type Sizes} from './memory.ts';
export {labelRanges, labelTiles, runResult, type LabelRange, type RunResult, type TileLabels} from './results.ts';
export {
  FORMAT,
  ScaleOutError,
  taskName,
  type Chunk,
  type ForcedSizes,
  type InputFile,
  type LabelOrder,
  type RunPlan,
  type RunRequest,
  type Task,
  type TileBackend,
} from './run.ts';
export {RunFiles, type AttemptFiles} from './runFiles.ts';
export {runLocally, type LocalOptions, type StageProgress} from './runLocally.ts';
export {runTask, type TaskOptions} from './runTask.ts';
export {nextStage, type Stage} from './stages.ts';
export {openStore} from './store/openStore.ts';
export type {StageTimes, TaskTimes} from './taskTimes.ts';
export {writeRunLabels, type WriteLabelsOptions} from './writeRunLabels.ts';
export {DamagedFileError, StoreError, type Store} from './store/store.ts';
