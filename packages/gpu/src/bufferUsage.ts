/**
 * The bits of a buffer's usage, as the global `GPUBufferUsage`. The global has no type in the lib `dom` of TypeScript,
 * and no value in Node before `openGpu`.
 *
 * @source  WebGPU, 5.2.2 Buffer Usages
 */
export const BufferUsage = {
  MAP_READ: 0x0001,
  MAP_WRITE: 0x0002,
  COPY_SRC: 0x0004,
  COPY_DST: 0x0008,
  INDEX: 0x0010,
  VERTEX: 0x0020,
  UNIFORM: 0x0040,
  STORAGE: 0x0080,
  INDIRECT: 0x0100,
  QUERY_RESOLVE: 0x0200,
} as const;
