/** Results of a search: by position, which search reached each core point, and the sets of searches that met. */
export interface SearchBuffers {
  readonly visits: GPUBuffer;
  readonly parent: GPUBuffer;
  /** By search; filled with 2^32 − 1, for the numbering. */
  readonly firstCore: GPUBuffer;
  readonly frontier: GPUBuffer;
  readonly search: GPUBuffer;
  readonly level: GPUBuffer;
}
