import {InvalidParameterError, UnsupportedDimensionError, type PointSet} from '@epsball/clustering';
import {BACKENDS, type VariantRequest} from '@epsball/clustering/catalogue';
import {seededRandom} from '@epsball/conformance';
import {describe, expect, it} from 'vitest';
import {CROWDED_CANDIDATES, GPU_PAYS_FROM, GPU_PAYS_FROM_WIDE} from '../src/crossovers.ts';
import {backendOrder, backendRanges} from '../src/predict.ts';
import {adaptToDensity, rankDeviceRows, sampleCandidates} from '../src/choose.ts';
import {catalogue, rankChoices, validateRequest} from './ranked.ts';

const ANY: VariantRequest = {algorithm: 'auto', backend: 'auto'};

/** A kept instance on a machine with 8 processors. */
const KEPT = {isOneShot: false, processors: 8};

function ranked(request: Partial<VariantRequest>, n: number, dim: number, gpuRequested = false, on = KEPT): string[] {
  const choices = rankChoices({...ANY, ...request}, {n, dim, ...on}, gpuRequested);
  return choices.map(({row, backend}) => `${row.id}/${backend}`);
}

/** The rows that take so many dimensions, as a message names them. */
function ableFor(dim: number): string {
  return catalogue
    .filter(({maxDim}) => maxDim >= dim)
    .map(({id}) => id)
    .join(', ');
}

describe('the catalogue', () => {
  it('gives every row an id of its own, and at least one backend', () => {
    expect(new Set(catalogue.map((row) => row.id)).size).toBe(catalogue.length);
    for (const row of catalogue) expect(row.backends.length, row.id).toBeGreaterThan(0);
  });

  it('has dimensions and a preference for every backend of a row, and no others', () => {
    for (const row of catalogue) {
      expect(Object.keys(row.on), row.id).toEqual(row.backends);
      expect(row.maxDim, row.id).toBe(Math.max(...Object.values(row.on).map(({maxDim}) => maxDim)));
    }
  });

  it.each(BACKENDS)('never leaves two rows equally preferred on %s', (backend) => {
    const preferences = catalogue.map((row) => row.on[backend]?.preference).filter((one) => one !== undefined);
    expect(new Set(preferences).size).toBe(preferences.length);
  });

  it('refuses a backend that the row does not have', async () => {
    const sequential = catalogue.find((row) => row.id === 'sequential');
    await expect(sequential?.create({backend: 'gpu'})).rejects.toThrow(
      'backend = "gpu"; expected sequential for sequential',
    );
  });

  it('refuses the backend gpu without a Gpu', async () => {
    const gridBfs = catalogue.find((row) => row.id === 'grid-bfs');
    await expect(gridBfs?.create({backend: 'gpu'})).rejects.toThrow(
      'gpu = undefined; expected an open Gpu for the backend gpu',
    );
  });
});

describe('validateRequest', () => {
  it('lists the algorithms when one is unknown', () => {
    expect(() => validateRequest({...ANY, algorithm: 'dbscan'})).toThrow(InvalidParameterError);
    expect(() => validateRequest({...ANY, algorithm: 'dbscan'})).toThrow(
      `algorithm = "dbscan"; expected one of auto, ${catalogue.map((row) => row.id).join(', ')}`,
    );
  });

  it('lists the backends of an algorithm when it lacks the requested one', () => {
    expect(() => validateRequest({algorithm: 'sequential', backend: 'gpu'})).toThrow(
      'backend = "gpu"; expected one of auto, sequential for sequential',
    );
  });
});

describe('rankChoices', () => {
  it('keeps small data on the calling thread', () => {
    expect(ranked({}, 1000, 2)).toEqual(['pds/sequential', 'pds/workers', 'dense-grid/gpu']);
    expect(ranked({}, 100, 5)[0]).toBe('pds/sequential');
  });

  it('takes threads below GPU_PAYS_FROM where they are faster, if there are processors', () => {
    expect(ranked({}, GPU_PAYS_FROM - 1, 4, false, {...KEPT, processors: 4})[0]).toBe('pds/workers');
    expect(ranked({}, GPU_PAYS_FROM - 1, 4, false, {...KEPT, processors: 1})[0]).toBe('pds/sequential');
  });

  /** The first choice of `auto` on a machine without a GPU. */
  const onProcessors = (processors: number, n: number, dim: number, isOneShot = false): string | undefined =>
    ranked({}, n, dim, false, {isOneShot, processors}).find((choice) => !choice.endsWith('gpu'));

  it.each([2, 16])('leaves few points to the calling thread where waves on all %i processors cost more', (all) => {
    for (const dim of [2, 3, 4]) expect(onProcessors(all, 10_000, dim), `${dim}-D`).toBe('pds/sequential');
    expect([50_000, 30_000, 20_000].map((n, k) => onProcessors(all, n, k + 2))).toEqual(Array(3).fill('pds/workers'));
    const kept = {...KEPT, processors: all};
    expect(ranked({}, 100_000, 2, false, kept).slice(0, 2)).toEqual(['dense-grid/gpu', 'pds/workers']);
  });

  it('takes two threads for many points of more than 4 dimensions, not for few', () => {
    for (const dim of [5, 8, 16, 32, 64]) {
      expect(onProcessors(2, 1000, dim), `${dim}-D`).toBe('pds/sequential');
      expect(onProcessors(2, 10_000, dim), `${dim}-D`).toBe('pds/workers');
    }
    expect(onProcessors(2, 10_000, 8, true)).toBe('pds/sequential');
    expect(onProcessors(2, 100_000, 8, true)).toBe('pds/workers');
    expect(ranked({}, GPU_PAYS_FROM, 32).slice(0, 2)).toEqual(['dclust/gpu', 'pds/workers']);
  });

  it('counts the start of threads and device in a single run', () => {
    const once = {...KEPT, isOneShot: true};
    expect(ranked({}, 100_000, 2, false, once)[0]).toBe('pds/sequential');
    expect(ranked({}, 100_000, 3, false, {...once, processors: 16})[0]).toBe('pds/sequential');
    expect(ranked({}, 1_000_000, 3, false, {...once, processors: 16})).toEqual([
      'dense-grid/gpu',
      'pds/workers',
      'pds/sequential',
    ]);
    // Two processors also run V8's compilers.
    const two = {...once, processors: 2};
    const withoutGpu = (n: number): string => ranked({}, n, 2, false, two).filter((one) => !one.endsWith('gpu'))[0];
    expect([2_000_000, 10_000_000].map(withoutGpu)).toEqual(['pds/sequential', 'pds/workers']);
    expect(ranked({}, 100_000_000, 2, false, once)[0]).toBe('dense-grid/gpu');
  });

  it('keeps a million dense points on the calling thread in a single run, where most are core without a search', () => {
    const once = {n: 1_000_000, dim: 2, isOneShot: true, processors: 16};
    expect(backendOrder({...once, candidates: 350})[0]).toBe('gpu');
    expect(backendOrder({...once, candidates: 2300})[0]).toBe('sequential');
    expect(backendOrder({...once, n: 10_000_000, candidates: 2300})[0]).toBe('gpu');
  });

  it('tries a GPU from GPU_PAYS_FROM points on, then what is faster', () => {
    expect(ranked({}, GPU_PAYS_FROM, 2)).toEqual(['dense-grid/gpu', 'pds/sequential', 'pds/workers']);
    expect(ranked({}, 10 * GPU_PAYS_FROM, 2)).toEqual(['dense-grid/gpu', 'pds/workers', 'pds/sequential']);
  });

  it('tries a GPU for fewer points beyond 4 dimensions, where each costs more', () => {
    for (const dim of [5, 8, 64]) {
      expect(ranked({}, GPU_PAYS_FROM_WIDE, dim)[0]).toBe('dclust/gpu');
      expect(ranked({}, GPU_PAYS_FROM_WIDE - 1, dim).at(-1)).toBe('dclust/gpu');
    }
  });

  it('takes the GPU for any size on request', () => {
    expect(ranked({}, 1, 2, true)).toEqual(['dense-grid/gpu']);
    expect(ranked({backend: 'gpu'}, 1, 2)).toEqual(['dense-grid/gpu']);
  });

  it('keeps the requested algorithm', () => {
    expect(ranked({algorithm: 'grid-bfs'}, 10, 2)[0]).toBe('grid-bfs/sequential');
    expect(ranked({algorithm: 'sequential'}, GPU_PAYS_FROM, 2)).toEqual(['sequential/sequential']);
  });

  it('passes over rows that do not take the dimensions', () => {
    expect(ranked({}, GPU_PAYS_FROM, 65)).toEqual(['gdbscan/gpu', 'pds/workers', 'pds/sequential']);
  });

  it.each([5, 8, 64])('never prefers all pairs where another has an index for the dimensions: %i', (dim) => {
    expect(ranked({}, GPU_PAYS_FROM, dim)).toEqual(['dclust/gpu', 'pds/workers', 'pds/sequential']);
    expect(ranked({backend: 'gpu'}, 1, dim)).toEqual(['dclust/gpu']);
    expect(ranked({backend: 'sequential'}, 1, dim)).toEqual(['pds/sequential']);
  });

  it('keeps threads where no requested choice has an index', () => {
    expect(ranked({algorithm: 'pds'}, GPU_PAYS_FROM, 65)).toEqual(['pds/workers', 'pds/sequential']);
    expect(ranked({backend: 'workers'}, 1, 65)).toEqual(['pds/workers']);
  });

  it('names the rows that take the dimensions when the requested one does not', () => {
    expect(() => ranked({algorithm: 'grid-bfs'}, 10, 5)).toThrow(UnsupportedDimensionError);
    expect(() => ranked({algorithm: 'grid-bfs'}, 10, 5)).toThrow(
      `dim = 5; expected 1 to 4 for grid-bfs (${ableFor(5)} can)`,
    );
    expect(() => ranked({backend: 'gpu'}, 10, 1537)).toThrow(
      `dim = 1537; expected 1 to 1536 for the backend gpu (${ableFor(1537)} can)`,
    );
  });
});

describe('backendRanges', () => {
  it('names a backend once, and no GPU without hardware', () => {
    const many = backendRanges({dim: 2, ...KEPT}, true).map(({backend}) => backend);
    expect(many).toEqual(['sequential', 'gpu']);
    expect(backendRanges({dim: 2, ...KEPT}, false).map(({backend}) => backend)).toEqual(['sequential', 'workers']);
    expect(backendRanges({dim: 3, ...KEPT, processors: 1}, false)).toEqual([{backend: 'sequential', from: 1}]);
  });

  it('changes the backend where the choice changes', () => {
    for (const isOneShot of [false, true]) {
      for (const {backend, from} of backendRanges({dim: 3, ...KEPT, isOneShot}, true)) {
        expect(backendOrder({n: from, dim: 3, ...KEPT, isOneShot})[0]).toBe(backend);
        if (from > 1)
          expect(backendOrder({n: Math.floor(from * 0.8), dim: 3, ...KEPT, isOneShot})[0]).not.toBe(backend);
      }
    }
  });
});

describe('adaptToDensity', () => {
  /** The choice without a GPU for points at random places of the unit square, of which some lie in one place. */
  function adapted(n: number, crowded: number, eps: number, request: Partial<VariantRequest> = {}): string[] {
    const random = seededRandom(3);
    const coords = Float32Array.from({length: 2 * n}, (_, k) => (k < 2 * crowded ? 0.5 : random()));
    const candidates = sampleCandidates({coords, dim: 2}, {eps}, false) ?? 0;
    const size = {n, dim: 2, ...KEPT, processors: 1, candidates};
    const choices = rankChoices({...ANY, ...request}, size, false).filter(
      ({backend}) => backend !== 'gpu' || request.backend === 'gpu',
    );
    return adaptToDensity(choices, size).map(({row, backend}) => `${row.id}/${backend}`);
  }

  it('takes sequential for sparse points on the calling thread', () => {
    expect(adapted(10_000, 0, 0.01)[0]).toBe('sequential/sequential');
    expect(adapted(1, 0, 0.01)[0]).toBe('sequential/sequential');
  });

  it('takes pds where sequential is slow: 99,000 uniform points, eps 0.02', () => {
    expect(adapted(99_000, 0, 0.02)[0]).toBe('pds/sequential');
  });

  it.each([0.1, 0.5])('takes dense-grid where sequential is quadratic: 99,000 uniform points, eps %d', (eps) => {
    expect(adapted(99_000, 0, eps)[0]).toBe('dense-grid/sequential');
  });

  it('takes pds where one crowded cell among sparse points makes sequential quadratic', () => {
    expect(adapted(99_000, 9000, 0.001)[0]).toBe('pds/sequential');
  });

  it('takes dense-grid, on threads too, where a cell is so crowded that pds may be quadratic', () => {
    const crowded = Math.ceil(Math.sqrt(4 * CROWDED_CANDIDATES * 99_000));
    expect(adapted(99_000, crowded, 0.001).slice(0, 2).toSorted()).toEqual([
      'dense-grid/sequential',
      'dense-grid/workers',
    ]);
  });

  it('takes nothing quadratic behind a GPU, where points are not sampled', () => {
    const kept = {n: 1_000_000, ...KEPT};
    const choices = (dim: number): string[] =>
      adaptToDensity(rankChoices(ANY, {...kept, dim}, false), {...kept, dim}).map(
        ({row, backend}) => `${row.id}/${backend}`,
      );
    expect(choices(2)).toEqual(['dense-grid/gpu', 'dense-grid/workers', 'dense-grid/sequential']);
    expect(choices(5)).toEqual(['dclust/gpu', 'pds/workers', 'pds/sequential']);
  });

  describe('in a single run', () => {
    const once = {isOneShot: true, processors: 1};
    const chosen = (n: number, dim: number, candidates: number): string => {
      const size = {n, dim, candidates, ...once};
      return adaptToDensity(rankChoices({...ANY, backend: 'sequential'}, size, false), size)[0].row.id;
    };

    it('takes sequential for more candidates, as long as they are few in all', () => {
      // spots and milanesi in 2-D, spots in 3-D.
      expect([52, 230].map((candidates) => chosen(100_000, 2, candidates))).toEqual(['sequential', 'pds']);
      expect([82, 180].map((candidates) => chosen(100_000, 3, candidates))).toEqual(['sequential', 'pds']);
      expect([520, 4000].map((candidates) => chosen(1_000_000, 2, candidates))).toEqual(['pds', 'pds']);
      expect(chosen(10_000, 2, 5000)).toBe('dense-grid');
    });

    it('takes sequential beyond 4 dimensions for few points with few candidates', () => {
      // gaussians with eps 0.05, 0.1 and 1.
      expect([262, 506, 10_000].map((candidates) => chosen(10_000, 8, candidates))).toEqual([
        'sequential',
        'pds',
        'pds',
      ]);
      expect(chosen(1000, 64, 50)).toBe('sequential');
      expect(chosen(20_000, 8, 0)).toBe('pds');
    });

    it('samples points beyond 4 dimensions only there', () => {
      const points = (n: number): PointSet => ({coords: new Float32Array(8 * n), dim: 8});
      expect(sampleCandidates(points(100), {eps: 1}, true)).toBe(100);
      expect(sampleCandidates(points(100), {eps: 1}, false)).toBeUndefined();
      expect(sampleCandidates(points(20_000), {eps: 1}, true)).toBeUndefined();
    });
  });

  it('keeps the choice of other backends', () => {
    expect(adapted(100, 0, 0.001, {backend: 'gpu'})).toEqual(['dense-grid/gpu']);
  });
});

describe('rankDeviceRows', () => {
  it('gives the rows that cluster points on a device, the preferred one first', () => {
    const preferences = rankDeviceRows('auto').map((row) => row.on.gpu?.preference ?? -Infinity);
    expect(preferences).toEqual(preferences.toSorted((a, b) => b - a));
    expect(rankDeviceRows('grid-bfs').map(({id}) => id)).toEqual(['grid-bfs']);
  });

  it.each(['sequential', 'fast'])('lists the rows that can when %s cannot', (algorithm) => {
    const ids = rankDeviceRows('auto').map(({id}) => id);
    expect(() => rankDeviceRows(algorithm)).toThrow(
      `algorithm = "${algorithm}"; expected one of auto, ${ids.join(', ')} for points on a device`,
    );
  });
});
