import type {DbscanAlgorithm} from '@epsball/clustering';
import {
  defineBackend as defineVariantBackend,
  defineVariant,
  type Backend,
  type BackendDeclaration,
  type BackendEntry,
  type OptionDeclarations,
  type VariantDescription,
  type VariantRow,
} from '@epsball/clustering/catalogue';
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

/** `defineBackend` of `@epsball/clustering/catalogue` for the variants of DBSCAN. */
export function defineBackend<const Options extends OptionDeclarations>(
  declared: BackendDeclaration<Options, DbscanAlgorithm, Gpu>,
): BackendEntry<DbscanAlgorithm, Gpu> {
  return defineVariantBackend(declared);
}

export function defineRow({
  createOnDevice,
  ...row
}: VariantDescription &
  Pick<CatalogueRow, 'createOnDevice'> & {
    readonly on: Partial<Record<Backend, BackendEntry<DbscanAlgorithm, Gpu>>>;
  }): CatalogueRow {
  return {...defineVariant(row), ...(createOnDevice === undefined ? {} : {createOnDevice})};
}
