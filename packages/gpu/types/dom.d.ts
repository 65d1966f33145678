/** Where the types of WebGPU are from: the lib `dom` of TypeScript 6 and later. */
export type WebGpuTypes = 'dom';
