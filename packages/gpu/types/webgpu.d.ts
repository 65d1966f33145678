/// <reference types="@webgpu/types" />

/** Where the types of WebGPU are from. Before TypeScript 6, the lib `dom` has none. */
export type WebGpuTypes = '@webgpu/types';
