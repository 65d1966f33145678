import {InvalidParameterError} from '../errors.ts';
import type {VariantMetric} from '../metric/metric.ts';
import type {WeightKind} from '../weights/integerWeights.ts';
import {
  describeOptions,
  passedValues,
  resolveOptions,
  type DeclaredValues,
  type OptionDeclarations,
  type OptionValue,
  type VariantOption,
  type VariantOptionValues,
} from './variantOptions.ts';

/** Where a variant runs: on the calling thread, on worker threads, or on a GPU. */
export const BACKENDS = ['sequential', 'workers', 'gpu'] as const;
export type Backend = (typeof BACKENDS)[number];

export interface VariantCreateOptions<Gpu> {
  readonly backend: Backend;
  /** Borrowed; required for the backend `gpu`, ignored by the others. */
  readonly gpu?: Gpu | undefined;
  /** Worker threads, integer ≥ 1. Variants without worker threads ignore it. Default: one per processor. */
  readonly threads?: number | undefined;
  /** Options of the variant on this backend. Those left out have their defaults. */
  readonly options?: VariantOptionValues | undefined;
}

/** The description of a variant. */
export interface VariantDescription {
  readonly id: string;
  /** The npm package that holds the variant. */
  readonly package: string;
  readonly title: string;
  /** One sentence: how it works and when to use it. */
  readonly summary: string;
  /** The document that the variant follows. */
  readonly source: string;
}

/** One backend of a variant. */
export interface BackendEntry<Algorithm, Gpu> {
  /** Maximum dimensions; `Infinity` if there is no limit. */
  readonly maxDim: number;
  /** Maximum dimensions with an index, at default options. Beyond, the variant tests all pairs. */
  readonly maxIndexedDim: number;
  /**
   * For `algorithm: 'auto'`: of the rows that have the backend and take the dimensions, the one with the highest number
   * runs. Numbers of different backends are not compared: `rankChoices` decides the backend.
   */
  readonly preference: number;
  /** Whether it starts worker threads. Default: true on the backend `workers`, false on the others. */
  readonly hasThreads?: boolean | undefined;
  readonly metrics: readonly VariantMetric[];
  /** The weights of points that it takes; absent if it takes none. */
  readonly weights?: WeightKind | undefined;
  /** `maxIndexedDim` with `epsTime`, the time counted. Absent if it takes no `epsTime`. */
  readonly maxIndexedDimInTime?: number | undefined;
  readonly options: readonly VariantOption[];
  /** Creates an instance; the options are resolved. */
  readonly create: (
    options: Omit<VariantCreateOptions<Gpu>, 'options'> & {readonly options: Readonly<Record<string, OptionValue>>},
  ) => Promise<Algorithm>;
}

/** One variant of an algorithm in a catalogue. */
export interface VariantRow<Algorithm, Gpu> extends VariantDescription {
  /** In the order of `BACKENDS`, at least one. */
  readonly backends: readonly Backend[];
  readonly on: Readonly<Partial<Record<Backend, BackendEntry<Algorithm, Gpu>>>>;
  /** The largest of the backends. */
  readonly maxDim: number;
  /** The backends that start worker threads. */
  readonly threadedBackends: readonly Backend[];
  /**
   * Loads the variant's package and creates an instance for many runs.
   *
   * @returns  owned by the caller, who destroys it before the `gpu` it borrowed
   * @throws InvalidParameterError  if the row lacks the backend, `gpu` is missing where it is required, or an option is
   *                                unknown or has a value that is not allowed
   * @throws GpuLimitError          if the device allows less than the variant's kernels need
   */
  create(options: VariantCreateOptions<Gpu>): Promise<Algorithm>;
}

/**
 * Declares one backend of a row. Defaults: an index in all dimensions if their number is limited, else none; euclidean
 * only, no weights, no options.
 */
export function defineBackend<const Options extends OptionDeclarations, Algorithm, Gpu>({
  maxIndexedDim,
  metrics = ['euclidean'],
  options: declarations,
  create,
  ...declared
}: BackendDeclaration<Options, Algorithm, Gpu>): BackendEntry<Algorithm, Gpu> {
  const options = describeOptions(declarations ?? {});
  return {
    ...declared,
    maxIndexedDim: maxIndexedDim ?? (declared.maxDim === Infinity ? 0 : declared.maxDim),
    metrics,
    options,
    create: ({options: checked, ...others}) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `resolveOptions` has checked them
      const values = passedValues(options, checked) as DeclaredValues<Options>;
      return create({...others, options: values});
    },
  };
}

/** What `defineBackend` takes. The values of options have the types of their declarations. */
export type BackendDeclaration<Options extends OptionDeclarations, Algorithm, Gpu> = Partial<
  Omit<BackendEntry<Algorithm, Gpu>, 'options' | 'create'>
> &
  Pick<BackendEntry<Algorithm, Gpu>, 'maxDim' | 'preference'> & {
    readonly options?: Options;
    readonly create: (
      options: Omit<VariantCreateOptions<Gpu>, 'options'> & {readonly options: DeclaredValues<Options>},
    ) => Promise<Algorithm>;
  };

/** The row of a variant. Its `create` rejects backends that are not declared. */
export function defineVariant<Algorithm, Gpu>(
  row: VariantDescription & Pick<VariantRow<Algorithm, Gpu>, 'on'>,
): VariantRow<Algorithm, Gpu> {
  const {id, on} = row;
  const backends = BACKENDS.filter((backend) => on[backend] !== undefined);
  return {
    ...row,
    backends,
    maxDim: Math.max(...Object.values(on).map(({maxDim}) => maxDim)),
    threadedBackends: backends.filter((backend) => on[backend]?.hasThreads ?? backend === 'workers'),
    create: async ({options = {}, ...others}) => {
      const {backend} = others;
      const entry = on[backend];
      if (entry === undefined)
        throw new InvalidParameterError('backend', backend, `${backends.join(' or ')} for ${id}`);
      return entry.create({...others, options: resolveOptions(entry.options, options, `${id} on ${backend}`)});
    },
  };
}

/** @throws InvalidParameterError  if `gpu` is undefined */
export function requiredGpu<Gpu>(gpu: Gpu | undefined): Gpu {
  if (gpu === undefined) throw new InvalidParameterError('gpu', gpu, 'an open Gpu for the backend gpu');
  return gpu;
}
