export interface ShiftGpuOptions {
  /** `tiled`, the default: points through workgroup memory. `naive`: every invocation reads every point from memory. */
  readonly method?: 'tiled' | 'naive' | undefined;
  /** Points in a tile, and invocations in a workgroup: 16, 32, 64, 128, 256, 512 or 1024, where the device allows it. Default: 256. */
  readonly tileWidth?: number | undefined;
}
