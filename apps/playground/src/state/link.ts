import {METRICS, type Metric} from '@epsball/clustering';

/** What the page shows, as its link keeps it. */
export interface LinkState {
  readonly view: View;
  /** A spec for `generateDataset`, or `file:` and the name of a file that the reader has to open again. */
  readonly data: string;
  readonly method: Method;
  readonly eps: number;
  readonly minPts: number;
  readonly metric: Metric;
  /** Of HDBSCAN*. */
  readonly minClusterSize: number;
  readonly minSamples: number;
  readonly selection: Selection;
  /** Of mean shift; 0: estimated. */
  readonly bandwidth: number;
  /** A catalogue id, or `auto`. */
  readonly algorithm: string;
  readonly backend: BackendChoice;
  /** The animated design, its points, and the step. */
  readonly design: string;
  readonly set: string;
  readonly step: number;
  /** Parameters of the animation; 0: those that suit its points. */
  readonly stageEps: number;
  readonly stageMinPts: number;
}

export const VIEWS = ['explore', 'compare', 'designs', 'stream'] as const;
export type View = (typeof VIEWS)[number];

export const METHODS = ['dbscan', 'hdbscan', 'mean-shift'] as const;
export type Method = (typeof METHODS)[number];

export const SELECTIONS = ['eom', 'leaf'] as const;
type Selection = (typeof SELECTIONS)[number];

export const BACKEND_CHOICES = ['auto', 'sequential', 'workers', 'gpu'] as const;
type BackendChoice = (typeof BACKEND_CHOICES)[number];

export const DEFAULT_LINK: LinkState = {
  view: 'explore',
  data: 'milanesi:n=100000',
  method: 'dbscan',
  eps: 0.06,
  minPts: 20,
  metric: 'euclidean',
  minClusterSize: 200,
  minSamples: 10,
  selection: 'eom',
  bandwidth: 0,
  algorithm: 'auto',
  backend: 'auto',
  design: 'grid-bfs',
  set: 'moons',
  step: 0,
  stageEps: 0,
  stageMinPts: 0,
};

/** Keys of Explore by method. */
const EXPLORE_KEYS: Readonly<Record<Method, readonly (keyof LinkState)[]>> = {
  dbscan: ['data', 'eps', 'minPts', 'metric', 'algorithm', 'backend'],
  hdbscan: ['data', 'method', 'minClusterSize', 'minSamples', 'selection', 'metric', 'backend'],
  'mean-shift': ['data', 'method', 'bandwidth', 'metric', 'backend'],
};

/** Keys of the link by view: a link has no keys that its view does not use. */
const KEYS: Readonly<Record<Exclude<View, 'explore'>, readonly (keyof LinkState)[]>> = {
  compare: ['data', 'eps', 'minPts', 'metric'],
  designs: ['design', 'set', 'stageEps', 'stageMinPts', 'step'],
  stream: [],
};

/** Keys that a link has only if their values are not the defaults. */
const OPTIONAL: readonly (keyof LinkState)[] = ['metric', 'selection', 'bandwidth', 'stageEps', 'stageMinPts'];

/** Formats a state as the fragment of a link: `#/explore?data=moons&eps=0.3…`. */
export function formatLink(state: LinkState): string {
  const own = state.view === 'explore' ? EXPLORE_KEYS[state.method] : KEYS[state.view];
  const keys = own.filter((key) => !OPTIONAL.includes(key) || state[key] !== DEFAULT_LINK[key]);
  const query = keys.map((key) => `${key}=${encode(String(state[key]))}`).join('&');
  return query === '' ? `#/${state.view}` : `#/${state.view}?${query}`;
}

/**
 * Parses the fragment of a link.
 *
 * @param base  values of missing keys
 * @returns     the state, and the keys whose values were not allowed; these have the value of `base`
 */
export function parseLink(fragment: string, base: LinkState = DEFAULT_LINK): {state: LinkState; rejected: string[]} {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?');
  const given = new URLSearchParams(query);
  const rejected: string[] = [];
  const read = <Value>(key: string, parse: (text: string) => Value | undefined, fallback: Value): Value => {
    const text = given.get(key);
    if (text === null) return fallback;
    const value = parse(text);
    if (value === undefined) rejected.push(key);
    return value ?? fallback;
  };
  const state: LinkState = {
    view: VIEWS.find((view) => view === path) ?? base.view,
    data: read('data', textOf, base.data),
    eps: read('eps', parseEps, base.eps),
    minPts: read('minPts', parseMinPts, base.minPts),
    method: read('method', (text) => METHODS.find((method) => method === text), base.method),
    minClusterSize: read('minClusterSize', parseClusterSize, base.minClusterSize),
    minSamples: read('minSamples', parseMinPts, base.minSamples),
    selection: read('selection', (text) => SELECTIONS.find((one) => one === text), base.selection),
    bandwidth: read('bandwidth', parseEps, base.bandwidth),
    metric: read('metric', (text) => METRICS.find((metric) => metric === text), base.metric),
    algorithm: read('algorithm', textOf, base.algorithm),
    backend: read('backend', (text) => BACKEND_CHOICES.find((choice) => choice === text), base.backend),
    design: read('design', textOf, base.design),
    set: read('set', textOf, base.set),
    step: read('step', (text) => (/^\d{1,6}$/.test(text) ? Number(text) : undefined), base.step),
    stageEps: read('stageEps', parseEps, 0),
    stageMinPts: read('stageMinPts', parseMinPts, 0),
  };
  return {state, rejected};
}

/** A finite number > 0, or undefined. */
export function parseEps(text: string): number | undefined {
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

/** An integer ≥ 1, or undefined. */
export function parseMinPts(text: string): number | undefined {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value < 2 ** 31 ? value : undefined;
}

/** An integer ≥ 2, or undefined. */
export function parseClusterSize(text: string): number | undefined {
  const value = parseMinPts(text);
  return value === undefined || value < 2 ? undefined : value;
}

function textOf(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/** Commas, colons and equals signs stay legible. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%3D', '=');
}
