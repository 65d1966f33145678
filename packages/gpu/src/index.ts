export {touchPages} from '#host';
export type {WebGpuTypes} from '#webgpu-types';
export {ADAPTER_CHOICES, ADAPTER_VARIABLE, type AdapterChoice, type AdapterKind} from './adapterChoice.ts';
export {findAdapter, gpuInstance, listAdapters} from './adapters.ts';
export type {AdapterInfo, AdapterReport, FoundAdapter} from './adapters.ts';
export {BufferUsage} from './bufferUsage.ts';
export {copyBytes, type HostArray} from './transfer/copyBytes.ts';
export {createAll} from './createAll.ts';
export {DISPATCH_LIMIT, foldDispatch, type WorkgroupCounts} from './dispatch.ts';
export {Gpu, GpuBuffer, openGpu, type BySpeed, type OpenGpuOptions} from './gpu.ts';
export {Kernel} from './kernel.ts';
export type {
  Bindable,
  BindingLayout,
  BindingName,
  Bindings,
  BufferSlice,
  EntryPoint,
  KernelSource,
  Overrides,
  StructLayout,
} from './kernelSource.ts';
export {OnDemand} from './onDemand.ts';
export {Owner} from './owner.ts';
export {float64Words, packStruct, ParamRing, wordOf, type StructValues} from './params.ts';
export {ReadBack, type ComingParts, type ReadBackPart} from './transfer/readBack.ts';
export {BatchLoop, type BatchOutcome, type BatchPlan, type StateLayout} from './run/batchLoop.ts';
export {BatchPace, firstUnits} from './run/batchPace.ts';
export {
  DeviceGpuDbscan,
  type DeviceDbscanAlgorithm,
  type DeviceDbscanParams,
  type DeviceInput,
  type DeviceResult,
} from './run/deviceGpuDbscan.ts';
export {deviceWeights, GpuDbscan, type GpuDbscanOptions} from './run/gpuDbscan.ts';
export {GpuRun, type Encode} from './run/gpuRun.ts';
export {
  LabelReadBack,
  type ComingLabels,
  type DeviceBitLabels,
  type DeviceLabels,
  type DeviceWord,
} from './run/labelReadBack.ts';
export {AlgorithmFrame, type AlgorithmFrameOptions} from './run/algorithmFrame.ts';
export {Scratch} from './scratch.ts';
export {Uploader, type FillChunk} from './transfer/uploader.ts';
export {DeviceTimer} from './timer.ts';
export {createMappedPoints, MappedPoints} from './transfer/mappedPoints.ts';
