import {InvalidParameterError} from '../errors.ts';
import type {VariantMetric} from '../metric/metric.ts';
import type {WeightKind} from '../weights/integerWeights.ts';
import {
  describeOptions,
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

/** One variant of an algorithm in a catalogue. */
export interface VariantRow<Algorithm, Gpu> extends VariantDescription {
  /** In the order of `BACKENDS`, at least one. */
  readonly backends: readonly Backend[];
  /** Maximum dimensions by backend; `Infinity` if there is no limit. */
  readonly maxDims: Readonly<Partial<Record<Backend, number>>>;
  readonly maxDim: number;
  /** Maximum dimensions with an index, by backend, at default options. Beyond, the variant tests all pairs. */
  readonly maxIndexedDims: Readonly<Partial<Record<Backend, number>>>;
  /**
   * Preference by backend, for `algorithm: 'auto'`. Of the rows that have the backend and take the dimensions, the one
   * with the highest number runs. Numbers of different backends are not compared: `rankChoices` decides the backend.
   */
  readonly preferences: Readonly<Partial<Record<Backend, number>>>;
  /** The metrics that the variant computes, by backend. */
  readonly metrics: Readonly<Partial<Record<Backend, readonly VariantMetric[]>>>;
  /** The weights of points that the variant takes, by backend; absent for a backend that takes none. */
  readonly weights: Readonly<Partial<Record<Backend, WeightKind | undefined>>>;
  /** The backends that start worker threads. */
  readonly threadedBackends: readonly Backend[];
  /** Options by backend. */
  readonly options: Readonly<Partial<Record<Backend, readonly VariantOption[]>>>;
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

/** The declaration of one backend of a row. `maxDim` and `preference` are as in `VariantRow`. */
export interface BackendDeclaration<Options extends OptionDeclarations, Algorithm, Gpu> {
  readonly maxDim: number;
  /** As in `VariantRow`. Default: `maxDim`. */
  readonly maxIndexedDim?: number;
  readonly preference: number;
  /** Whether it starts worker threads. Default: true on the backend `workers`, false on the others. */
  readonly hasThreads?: boolean;
  /** The metrics that it computes. Default: euclidean only. */
  readonly metrics?: readonly VariantMetric[];
  /** The weights of points that it takes. Default: none. */
  readonly weights?: WeightKind;
  /** Default: no options. */
  readonly options?: Options;
  readonly create: (
    options: Omit<VariantCreateOptions<Gpu>, 'options'> & {readonly options: DeclaredValues<Options>},
  ) => Promise<Algorithm>;
}

/** A declared backend whose `create` takes resolved options of any kind. */
export interface BackendEntry<Algorithm, Gpu> {
  readonly maxDim: number;
  readonly maxIndexedDim: number;
  readonly preference: number;
  readonly hasThreads: boolean | undefined;
  readonly metrics: readonly VariantMetric[];
  readonly weights: WeightKind | undefined;
  readonly options: readonly VariantOption[];
  readonly create: (
    options: Omit<VariantCreateOptions<Gpu>, 'options'> & {readonly options: Readonly<Record<string, OptionValue>>},
  ) => Promise<Algorithm>;
}

export function defineBackend<const Options extends OptionDeclarations, Algorithm, Gpu>(
  declared: BackendDeclaration<Options, Algorithm, Gpu>,
): BackendEntry<Algorithm, Gpu> {
  const {maxDim, maxIndexedDim = maxDim, preference, hasThreads, options, create} = declared;
  const {metrics = ['euclidean'], weights} = declared;
  return {
    maxDim,
    maxIndexedDim,
    preference,
    hasThreads,
    metrics,
    weights,
    options: describeOptions(options ?? {}),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `resolveOptions` has checked them
    create: (checked) => create({...checked, options: checked.options as DeclaredValues<Options>}),
  };
}

/** The row of a variant. Its `create` rejects backends that are not declared. */
export function defineVariant<Algorithm, Gpu>(
  row: VariantDescription & {readonly on: Partial<Record<Backend, BackendEntry<Algorithm, Gpu>>>},
): VariantRow<Algorithm, Gpu> {
  const {on, ...described} = row;
  const entries = BACKENDS.flatMap((backend) => {
    const entry = on[backend];
    return entry === undefined ? [] : [{backend, ...entry}];
  });
  const backends = entries.map(({backend}) => backend);
  const by = <Value>(read: (entry: BackendEntry<Algorithm, Gpu>) => Value): Partial<Record<Backend, Value>> =>
    Object.fromEntries(entries.map((entry) => [entry.backend, read(entry)]));
  return {
    ...described,
    backends,
    maxDims: by(({maxDim}) => maxDim),
    maxDim: Math.max(...entries.map(({maxDim}) => maxDim)),
    maxIndexedDims: by(({maxIndexedDim}) => maxIndexedDim),
    preferences: by(({preference}) => preference),
    metrics: by(({metrics}) => metrics),
    weights: by(({weights}) => weights),
    threadedBackends: entries
      .filter(({backend, hasThreads = backend === 'workers'}) => hasThreads)
      .map(({backend}) => backend),
    options: by(({options}) => options),
    create: async ({options = {}, ...others}) => {
      const entry = on[others.backend];
      if (entry === undefined) {
        throw new InvalidParameterError('backend', others.backend, `${backends.join(' or ')} for ${row.id}`);
      }
      const values = resolveOptions(entry.options, options, `${row.id} on ${others.backend}`);
      return entry.create({...others, options: values});
    },
  };
}

/** @throws InvalidParameterError  if `gpu` is undefined */
export function requiredGpu<Gpu>(gpu: Gpu | undefined): Gpu {
  if (gpu === undefined) throw new InvalidParameterError('gpu', gpu, 'an open Gpu for the backend gpu');
  return gpu;
}
