export interface ShiftGpuOptions {
  /**
   * `tiled`: points through workgroup memory. `naive`: every invocation reads every point from memory. Default:
   * `tiled`.
   */
  readonly method?: 'tiled' | 'naive' | undefined;
  /**
   * Points in a tile and invocations in a workgroup: 16, 32, 64, 128, 256, 512 or 1024, as the device allows. Default:
   * 256.
   */
  readonly tileWidth?: number | undefined;
}
