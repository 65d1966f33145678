import {GpuUnavailableError, InvalidParameterError} from '@epsball/clustering';
import {forcedAdapter, instanceFor, missingFor, requestBundled} from '#host';
import {ADAPTER_CHOICES, type AdapterChoice, type AdapterKind} from './adapterChoice.ts';

/**
 * The `GPU` object for a driver configuration: `navigator.gpu` in a browser, else one Dawn instance per key.
 *
 * @param key           name of the configuration
 * @param extraOptions  further Dawn options, for example `backend=null`
 * @throws GpuUnavailableError  if npm webgpu is not installed or does not load; names the line that installs it
 */
export const gpuInstance = (key: string, extraOptions: readonly string[] = []): Promise<GPU> =>
  instanceFor(key, extraOptions);

export interface FoundAdapter {
  readonly kind: AdapterKind;
  readonly adapter: GPUAdapter;
}

/** The result of a choice for one kind of adapter. `epsball doctor` prints it. */
export interface AdapterReport {
  readonly kind: AdapterKind;
  readonly info: AdapterInfo | null;
  /** Why there is no such adapter; null if there is one. */
  readonly error: string | null;
  readonly chosen: boolean;
  readonly reason: string;
}

export interface AdapterInfo {
  readonly kind: AdapterKind;
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
  readonly subgroupMinSize: number;
  readonly subgroupMaxSize: number;
  readonly features: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
}

/**
 * Finds an adapter by choice.
 *
 * @throws InvalidParameterError  if the choice, or EPSBALL_ADAPTER, is not one of `ADAPTER_CHOICES`
 * @throws GpuUnavailableError    if there is no adapter of that kind; lists what was tried
 */
export async function findAdapter(choice: AdapterChoice = 'auto'): Promise<FoundAdapter> {
  const failures: string[] = [];
  for (const kind of kindsToTry(resolveChoice(choice))) {
    const {adapter, error} = await probe(kind);
    if (adapter) return {kind, adapter};
    failures.push(`${kind}: ${error}`);
  }
  throw new GpuUnavailableError(`no ${resolveChoice(choice)} WebGPU adapter (${failures.join('; ')})`);
}

/** Tries every kind of adapter and reports the one that `choice` selects, with the reason. */
export async function listAdapters(choice: AdapterChoice = 'auto'): Promise<AdapterReport[]> {
  const resolved = resolveChoice(choice);
  const wanted = kindsToTry(resolved);
  const reports: AdapterReport[] = [];
  let taken: AdapterKind | undefined;
  for (const kind of kindsToTry('auto')) {
    const {adapter, error} = await probe(kind);
    const chosen = adapter !== null && wanted.includes(kind) && taken === undefined;
    if (chosen) taken = kind;
    const info = adapter ? describeAdapter(adapter, kind) : null;
    reports.push({
      kind,
      info,
      error,
      chosen,
      reason: reasonFor(kind, resolved, {found: adapter !== null, chosen, taken}),
    });
  }
  return reports;
}

export function describeAdapter(of: GPUAdapter | GPUDevice, kind: AdapterKind): AdapterInfo {
  const info = 'adapterInfo' in of ? of.adapterInfo : of.info;
  const {vendor, architecture, device, description, subgroupMinSize, subgroupMaxSize} = info;
  const features = [...of.features].toSorted((a, b) => a.localeCompare(b));
  const limits = limitsByName(of.limits);
  return {kind, vendor, architecture, device, description, subgroupMinSize, subgroupMaxSize, features, limits};
}

/** All limits by name. They are getters of the prototype, which object spread does not copy. */
export function limitsByName(supported: GPUSupportedLimits): Record<string, number> {
  const limits: Record<string, number> = {};
  for (const name in supported) {
    const value: unknown = Reflect.get(supported, name);
    if (typeof value === 'number') limits[name] = value;
  }
  return limits;
}

function resolveChoice(choice: AdapterChoice): AdapterChoice {
  const forced = forcedAdapter();
  const resolved = choice === 'auto' && forced ? forced : choice;
  const known = ADAPTER_CHOICES.find((name) => name === resolved);
  if (!known) throw new InvalidParameterError('adapter', resolved, `one of ${ADAPTER_CHOICES.join(', ')}`);
  return known;
}

function kindsToTry(choice: AdapterChoice): readonly AdapterKind[] {
  if (choice === 'auto') return ['hardware', 'system-software', 'bundled'];
  if (choice === 'software') return ['system-software', 'bundled'];
  return [choice];
}

interface Probe {
  readonly adapter: GPUAdapter | null;
  readonly error: string | null;
}

/** The last probe. Probes run one after another, because the bundled one changes the environment temporarily. */
let lastProbe: Promise<unknown> = Promise.resolve();

function probe(kind: AdapterKind): Promise<Probe> {
  const turn = lastProbe.then(() => probeAlone(kind));
  lastProbe = turn;
  return turn;
}

async function probeAlone(kind: AdapterKind): Promise<Probe> {
  try {
    const missing = await missingFor(kind);
    if (missing !== undefined) return {adapter: null, error: missing};
    const adapter = kind === 'bundled' ? await requestBundled() : await requestSystem(kind);
    return adapter ? {adapter, error: null} : {adapter: null, error: 'none found'};
  } catch (error) {
    return {adapter: null, error: error instanceof Error ? error.message : String(error)};
  }
}

async function requestSystem(kind: AdapterKind): Promise<GPUAdapter | null> {
  const gpu = await instanceFor('system', []);
  const adapter = await gpu.requestAdapter({powerPreference: 'high-performance'});
  if (!adapter) return null;
  if (!isSoftware(adapter)) return kind === 'hardware' ? adapter : requestFallback(gpu);
  return kind === 'system-software' ? adapter : null;
}

async function requestFallback(gpu: GPU): Promise<GPUAdapter | null> {
  const adapter = await gpu.requestAdapter({forceFallbackAdapter: true});
  return adapter && isSoftware(adapter) ? adapter : null;
}

function isSoftware(adapter: GPUAdapter): boolean {
  return adapter.info.isFallbackAdapter || kindOf(adapter.info) !== 'hardware';
}

/** The kind of an adapter, from its description. A caller's device offers no other information. */
export function kindOf({vendor, architecture, description}: GPUAdapterInfo): AdapterKind {
  const text = `${vendor} ${architecture} ${description}`;
  if (/swiftshader/i.test(text)) return 'bundled';
  return /llvmpipe|lavapipe|software/i.test(text) ? 'system-software' : 'hardware';
}

function reasonFor(
  kind: AdapterKind,
  choice: AdapterChoice,
  {found, chosen, taken}: {found: boolean; chosen: boolean; taken: AdapterKind | undefined},
): string {
  if (chosen) return choice === 'auto' ? 'first adapter found' : `first adapter found for --adapter ${choice}`;
  if (!found) return 'not available';
  if (!kindsToTry(choice).includes(kind)) return `excluded by --adapter ${choice}`;
  return `${taken} comes first`;
}
