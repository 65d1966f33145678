import {InvalidParameterError} from '../errors.ts';
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
  /** One of the row's backends. */
  readonly backend: Backend;
  /** Borrowed; required for the backend `gpu`, ignored by the others. */
  readonly gpu?: Gpu | undefined;
  /** Worker threads, integer ≥ 1; only variants with workers look at it. Default: one per processor. */
  readonly threads?: number | undefined;
  /** The variant's own, of those that the row lists for the backend; what is left out has its default. */
  readonly options?: VariantOptionValues | undefined;
}

/** What a row says in words. */
export interface VariantDescription {
  readonly id: string;
  /** The npm package that holds the variant. */
  readonly package: string;
  readonly title: string;
  /** One sentence: how it works and when to use it. */
  readonly summary: string;
  /** The document it follows. */
  readonly source: string;
}

/** One variant of an algorithm in a catalogue: what it is called, where it runs, and how it is loaded. */
export interface VariantRow<Algorithm, Gpu> extends VariantDescription {
  /** In the order of `BACKENDS`, at least one. */
  readonly backends: readonly Backend[];
  /** Most dimensions it takes on each of its backends; `Infinity` where any number will do. */
  readonly maxDims: Readonly<Partial<Record<Backend, number>>>;
  /** The largest of `maxDims`. */
  readonly maxDim: number;
  /** Most dimensions for which it has an index on each backend, at its default options; beyond, it tests all pairs. */
  readonly maxIndexedDims: Readonly<Partial<Record<Backend, number>>>;
  /**
   * For `algorithm: 'auto'`: of the rows that have the backend and take the dimensions, the highest number on that
   * backend runs. Numbers of different backends are not compared: `rankChoices` settles the backend first.
   */
  readonly preferences: Readonly<Partial<Record<Backend, number>>>;
  /** Those of its backends that start worker threads. */
  readonly threadedBackends: readonly Backend[];
  /** What may be chosen on each of its backends, beside threads. */
  readonly options: Readonly<Partial<Record<Backend, readonly VariantOption[]>>>;
  /**
   * Loads the variant's package and readies it for many runs.
   *
   * @returns  owned by the caller, who destroys it before the `gpu` it borrowed
   * @throws InvalidParameterError  if the row lacks the backend, `gpu` is missing where it is required, or an option is
   *                                unknown or has a value that is not allowed
   * @throws GpuLimitError          if the device allows less than the variant's kernels need
   */
  create(options: VariantCreateOptions<Gpu>): Promise<Algorithm>;
}

/** What a row says of one backend: dimensions, preference (both as in `VariantRow`), options, and how it is loaded. */
export interface BackendDeclaration<Options extends OptionDeclarations, Algorithm, Gpu> {
  readonly maxDim: number;
  /** As in `VariantRow`. Default: `maxDim`. */
  readonly maxIndexedDim?: number;
  readonly preference: number;
  /** It starts worker threads. Left out: only the backend `workers` does. */
  readonly hasThreads?: boolean;
  /** Left out: none. */
  readonly options?: Options;
  readonly create: (
    options: Omit<VariantCreateOptions<Gpu>, 'options'> & {readonly options: DeclaredValues<Options>},
  ) => Promise<Algorithm>;
}

/** The same, with options that are not checked yet. */
export interface BackendEntry<Algorithm, Gpu> {
  readonly maxDim: number;
  readonly maxIndexedDim: number;
  readonly preference: number;
  readonly hasThreads: boolean | undefined;
  readonly options: readonly VariantOption[];
  readonly create: (
    options: Omit<VariantCreateOptions<Gpu>, 'options'> & {readonly options: Readonly<Record<string, OptionValue>>},
  ) => Promise<Algorithm>;
}

/** An entry that gets its options checked. */
export function defineBackend<const Options extends OptionDeclarations, Algorithm, Gpu>(
  declared: BackendDeclaration<Options, Algorithm, Gpu>,
): BackendEntry<Algorithm, Gpu> {
  const {maxDim, maxIndexedDim = maxDim, preference, hasThreads, options, create} = declared;
  return {
    maxDim,
    maxIndexedDim,
    preference,
    hasThreads,
    options: describeOptions(options ?? {}),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked against these declarations by `resolveOptions`
    create: (checked) => create({...checked, options: checked.options as DeclaredValues<Options>}),
  };
}

/** A row from what it says of its backends; any other backend is refused. */
export function defineVariant<Algorithm, Gpu>(
  row: VariantDescription & {readonly on: Partial<Record<Backend, BackendEntry<Algorithm, Gpu>>>},
): VariantRow<Algorithm, Gpu> {
  const {on, ...described} = row;
  const entries = BACKENDS.flatMap((backend) => {
    const entry = on[backend];
    return entry === undefined ? [] : [{backend, ...entry}];
  });
  const backends = entries.map(({backend}) => backend);
  /** One property of the entries, by backend. */
  const by = <Value>(read: (entry: BackendEntry<Algorithm, Gpu>) => Value): Partial<Record<Backend, Value>> =>
    Object.fromEntries(entries.map((entry) => [entry.backend, read(entry)]));
  return {
    ...described,
    backends,
    maxDims: by(({maxDim}) => maxDim),
    maxDim: Math.max(...entries.map(({maxDim}) => maxDim)),
    maxIndexedDims: by(({maxIndexedDim}) => maxIndexedDim),
    preferences: by(({preference}) => preference),
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

/** @throws InvalidParameterError  if there is none */
export function requiredGpu<Gpu>(gpu: Gpu | undefined): Gpu {
  if (gpu === undefined) throw new InvalidParameterError('gpu', gpu, 'an open Gpu for the backend gpu');
  return gpu;
}
