/** The host of a run. */
export interface Machine {
  readonly node: string;
  readonly os: string;
  readonly arch: string;
  readonly cpu: string;
  readonly threads: number;
  readonly memoryBytes: number;
}

/** The GPU adapter that the GPU cells of a file ran on. */
export interface Adapter {
  readonly name: string;
  readonly kind: 'hardware' | 'system-software' | 'bundled';
  readonly vendor: string;
  readonly architecture: string;
  /** Driver and version, as the adapter describes itself. */
  readonly description: string;
  readonly subgroupMinSize: number;
  readonly subgroupMaxSize: number;
}
