import type {DbscanAlgorithm} from '@epsball/clustering';
import {defineVariant, type VariantDescription, type VariantRow} from '@epsball/clustering/catalogue';
import type {DeviceDbscanAlgorithm, Gpu} from '@epsball/gpu';

/** One variant of DBSCAN. Conformance, benchmarks and the command `epsball` read these rows. */
export interface CatalogueRow extends VariantRow<DbscanAlgorithm, Gpu> {
  /**
   * `create` for points in device memory. Absent if the variant does not take them.
   *
   * @param gpu  borrowed
   * @returns    owned by the caller, who destroys it before the `gpu`
   * @throws GpuLimitError  if the device allows less than the variant's kernels need
   */
  readonly createOnDevice?: (gpu: Gpu) => Promise<DeviceDbscanAlgorithm>;
}

export function defineRow(row: VariantDescription & Pick<CatalogueRow, 'on' | 'createOnDevice'>): CatalogueRow {
  return {...row, ...defineVariant(row)};
}
