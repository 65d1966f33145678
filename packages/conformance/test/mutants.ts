import {NOISE, pointCount, type DbscanAlgorithm, type DbscanParams, type PointSet} from '@epsball/clustering';
import {contractDecider, wrongDeciders, type Decider} from '../src/deciders.ts';
import {dbscanOracle, type DbscanLabels} from '@epsball/clustering/definition';

/** A DBSCAN with one plausible error. The cases must reject it. */
export interface Mutant {
  readonly name: string;
  /** Whether a run depends on the runs before it. */
  readonly remembers?: boolean;
  create(): DbscanAlgorithm;
}

/** How a wrong DBSCAN departs from the definition. Absent parts are correct. */
interface Flaw {
  readonly isNeighbor?: Decider;
  readonly isCore?: (neighborCount: number, minPts: number) => boolean;
  /** Whether the flood continues through a point that it has reached. */
  readonly expands?: (isCore: boolean) => boolean;
  /** Capacity of a frontier. Further points are labelled but not expanded. */
  readonly frontierCapacity?: number;
  /** Maximum number of levels of the flood. */
  readonly levels?: number;
  /** Label of a border point, from its core neighbours; −1 is noise. */
  readonly chooseBorder?: (candidates: readonly BorderCandidate[]) => number;
  readonly before?: (points: PointSet) => PointSet;
  readonly after?: (result: DbscanLabels, points: PointSet, params: DbscanParams) => DbscanLabels;
}

interface BorderCandidate {
  readonly label: number;
  readonly distance: number;
}

const withinCells =
  (accepts: (difference: number) => boolean): Decider =>
  (coords, dim, i, j, eps) => {
    for (let d = 0; d < dim; d++) {
      const difference = Math.floor(coords[i * dim + d] / eps) - Math.floor(coords[j * dim + d] / eps);
      if (!accepts(difference)) return false;
    }
    return contractDecider(coords, dim, i, j, eps);
  };

const flaws: Readonly<Record<string, Flaw>> = {
  'does not count the point itself': {isCore: (count, minPts) => count - 1 >= minPts},
  'requires more than minPts neighbours': {isCore: (count, minPts) => count > minPts},
  'truncates minPts to 32 bits': {isCore: (count, minPts) => count >= minPts >>> 0},
  'bridges two clusters through a border point': {expands: () => true},
  'loses points when the frontier is full': {frontierCapacity: 256},
  'stops after 1024 levels': {levels: 1024},
  'gives a border point its highest label': {chooseBorder: (all) => Math.max(...all.map(({label}) => label))},
  'gives a border point its nearest cluster': {
    chooseBorder: (all) => all.reduce((best, next) => (next.distance < best.distance ? next : best)).label,
  },
  'leaves border points of two clusters as noise': {
    chooseBorder: (all) => (all.every(({label}) => label === all[0].label) ? all[0].label : NOISE),
  },
  'leaves all border points as noise': {chooseBorder: () => NOISE},
  'searches the cell below but not above': {
    isNeighbor: withinCells((difference) => difference === 0 || difference === 1),
  },
  'skips diagonal cells': {
    isNeighbor: (coords, dim, i, j, eps) => {
      let moved = 0;
      for (let d = 0; d < dim; d++) {
        if (Math.floor(coords[i * dim + d] / eps) !== Math.floor(coords[j * dim + d] / eps)) moved++;
      }
      return moved <= 1 && contractDecider(coords, dim, i, j, eps);
    },
  },
  'reads the first axis in place of the last': {
    isNeighbor: (coords, dim, i, j, eps) => {
      let sum = 0;
      for (let d = 0; d < dim; d++) {
        const axis = d === dim - 1 ? 0 : d;
        sum += (coords[i * dim + axis] - coords[j * dim + axis]) ** 2;
      }
      return sum <= eps * eps;
    },
  },
  'bins by x/eps without a margin for rounding': {isNeighbor: withinCells((difference) => Math.abs(difference) <= 1)},
  'accepts points of one cell of side eps/√dim as neighbours without a test': {
    isNeighbor: (coords, dim, i, j, eps) => {
      const inverse = Math.fround(Math.sqrt(dim) / eps);
      const cell = (k: number): number => Math.floor(Math.fround(Math.fround(coords[k]) * inverse));
      let isSameCell = true;
      for (let d = 0; d < dim && isSameCell; d++) isSameCell = cell(i * dim + d) === cell(j * dim + d);
      return isSameCell || contractDecider(coords, dim, i, j, eps);
    },
  },
  'labels noise with 0': {
    after: (result) => ({...result, labels: result.labels.map((label) => label + 1)}),
  },
  'numbers clusters by their smallest member': {after: numberBySmallestMember},
  'numbers clusters by size': {after: numberBySize},
  'leaves the last point as noise': {
    after: (result) => ({
      ...result,
      labels: result.labels.map((label, i, {length}) => (i === length - 1 ? NOISE : label)),
    }),
  },
  'marks border points as core': {
    after: (result) => ({...result, coreMask: Uint8Array.from(result.labels, (label) => (label === NOISE ? 0 : 1))}),
  },
  'counts noise as a cluster': {
    after: (result) => ({...result, clusterCount: new Set(result.labels).size}),
  },
  'reads a view from the start of its buffer': {
    before: ({coords, dim}) => ({
      dim,
      coords:
        coords instanceof Float32Array
          ? new Float32Array(coords.buffer, 0, coords.length)
          : new Float64Array(coords.buffer, 0, coords.length),
    }),
  },
  'moves the points to the origin in place': {
    before: ({coords, dim}) => {
      const low = Math.min(...coords.filter((_, k) => k % dim === 0));
      for (let k = 0; k < coords.length; k += dim) coords[k] -= low;
      return {coords, dim};
    },
  },
};

/** One mutant per flaw and per wrong distance test. */
export const mutants: readonly Mutant[] = [
  ...Object.entries(flaws).map(([name, flaw]) => ({name, create: () => flawedDbscan(flaw)})),
  ...Object.entries(wrongDeciders).map(([name, isNeighbor]) => ({
    name: `distance test of kind ${name}`,
    create: () => flawedDbscan({isNeighbor}),
  })),
  {name: 'keeps the core mask of the run before', remembers: true, create: forgetfulDbscan},
];

function flawedDbscan(flaw: Flaw): DbscanAlgorithm {
  return wrap((points, params) => {
    const seen = flaw.before?.(points) ?? points;
    const result = flawedLabels(seen, params, flaw);
    return flaw.after?.(result, seen, params) ?? result;
  });
}

/** Wraps a function as an algorithm without resources. */
function wrap(label: (points: PointSet, params: DbscanParams) => DbscanLabels): DbscanAlgorithm {
  return {
    run: async (points, params) => ({...label(points, params), stats: {phaseMs: {}, wallMs: 0, counters: {}}}),
    destroy: () => undefined,
    [Symbol.dispose]: () => undefined,
  };
}

/** Keeps the core mask of earlier runs and only adds to it. */
function forgetfulDbscan(): DbscanAlgorithm {
  let kept = new Uint8Array(0);
  return wrap((points, params) => {
    const result = dbscanOracle(points, params);
    const coreMask = result.coreMask.map((flag, i) => flag | (kept[i] ?? 0));
    kept = coreMask;
    return {...result, coreMask};
  });
}

/** The oracle's three steps with the flaw. Core points are flooded level by level. */
function flawedLabels(points: PointSet, params: DbscanParams, flaw: Flaw): DbscanLabels {
  const {coords, dim} = points;
  const n = pointCount(points);
  const decide = flaw.isNeighbor ?? contractDecider;
  const isNeighbor = (i: number, j: number): boolean => decide(coords, dim, i, j, params.eps);
  const isCore = flaw.isCore ?? ((neighborCount: number, minPts: number) => neighborCount >= minPts);

  const coreMask = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    let neighborCount = 0;
    for (let j = 0; j < n; j++) if (isNeighbor(i, j)) neighborCount++;
    coreMask[i] = isCore(neighborCount, params.minPts) ? 1 : 0;
  }
  const labels = new Int32Array(n).fill(NOISE);
  let clusterCount = 0;
  for (let start = 0; start < n; start++) {
    if (coreMask[start] === 1 && labels[start] === NOISE) {
      flood(start, clusterCount++, {labels, coreMask, isNeighbor}, flaw);
    }
  }
  for (let i = 0; i < n; i++) {
    if (coreMask[i] === 1 || labels[i] !== NOISE) continue;
    const candidates: BorderCandidate[] = [];
    for (let j = 0; j < n; j++) {
      if (coreMask[j] !== 1 || !isNeighbor(i, j)) continue;
      let distance = 0;
      for (let d = 0; d < dim; d++) distance += (coords[i * dim + d] - coords[j * dim + d]) ** 2;
      candidates.push({label: labels[j], distance});
    }
    if (candidates.length === 0) continue;
    labels[i] = flaw.chooseBorder?.(candidates) ?? Math.min(...candidates.map(({label}) => label));
  }
  return {labels, coreMask, clusterCount};
}

interface Flood {
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array;
  readonly isNeighbor: (i: number, j: number) => boolean;
}

function flood(start: number, label: number, {labels, coreMask, isNeighbor}: Flood, flaw: Flaw): void {
  const {expands = (isCore) => isCore, frontierCapacity = Infinity, levels = Infinity} = flaw;
  labels[start] = label;
  let frontier = [start];
  for (let level = 1; frontier.length > 0 && level <= levels; level++) {
    const next: number[] = [];
    for (const i of frontier) {
      for (let j = 0; j < labels.length; j++) {
        if (labels[j] !== NOISE || !isNeighbor(i, j) || !expands(coreMask[j] === 1)) continue;
        labels[j] = label;
        if (next.length < frontierCapacity) next.push(j);
      }
    }
    frontier = next;
  }
}

function numberBySmallestMember(result: DbscanLabels): DbscanLabels {
  const order = new Map<number, number>();
  for (const label of result.labels) if (label !== NOISE && !order.has(label)) order.set(label, order.size);
  return {...result, labels: result.labels.map((label) => order.get(label) ?? NOISE)};
}

function numberBySize(result: DbscanLabels): DbscanLabels {
  const sizes = Array.from<number>({length: result.clusterCount}).fill(0);
  for (const label of result.labels) if (label !== NOISE) sizes[label]++;
  const bySize = sizes.map((_, label) => label).sort((a, b) => sizes[b] - sizes[a] || a - b);
  return {...result, labels: result.labels.map((label) => (label === NOISE ? NOISE : bySize.indexOf(label)))};
}
