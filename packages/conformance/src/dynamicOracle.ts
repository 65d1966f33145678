import {dbscanOracle, type DbscanLabels} from '@epsball/clustering/definition';

/** A batch for `DynamicOracle`: ids to remove, points to move, new points with ascending ids. */
export interface DynamicBatch {
  readonly remove: readonly number[];
  readonly move: readonly {readonly id: number; readonly at: readonly number[]}[];
  readonly insert: readonly {readonly id: number; readonly at: readonly number[]; readonly weight?: number}[];
}

/** An event of a batch; sizes are numbers of core points. */
export interface DynamicChange {
  readonly kind: 'born' | 'grown' | 'shrunk' | 'split' | 'merged' | 'died';
  readonly id: number;
  readonly size?: number;
  readonly before?: number;
  readonly from?: number;
  readonly into?: number;
}

/** The choices of the rule of ids; mutants replace some. */
export interface IdRules {
  /** Which of two counts of old core points a cluster follows. */
  readonly isMore: (count: number, most: number) => boolean;
  /** Whether a part that is no heir gets an id of its own. */
  readonly namesParts: boolean;
}

const CONTRACT: IdRules = {isMore: (count, most) => count > most, namesParts: true};

const KINDS: readonly DynamicChange['kind'][] = ['died', 'merged', 'split', 'born'];

/** Points that come and go, clustered from nothing after each batch, and the ids of clusters by their definition. */
export class DynamicOracle {
  readonly #params: {readonly eps: number; readonly minPts: number};
  readonly #dim: number;
  readonly #rules: IdRules;
  readonly #points = new Map<number, {at: readonly number[]; weight?: number | undefined}>();
  /** Ids of core points by id of the cluster. */
  clusters: Map<number, ReadonlySet<number>> = new Map<number, ReadonlySet<number>>();
  #next = 0;

  constructor(dim: number, params: {readonly eps: number; readonly minPts: number}, rules: IdRules = CONTRACT) {
    this.#dim = dim;
    this.#params = params;
    this.#rules = rules;
  }

  /** Ids of the points, ascending. */
  get ids(): number[] {
    return [...this.#points.keys()].sort((a, b) => a - b);
  }

  /** Labels of the points in the order of their ids. */
  fresh(): DbscanLabels {
    const points = this.ids.map((id) => this.#points.get(id));
    const coords = Float64Array.from(points.flatMap((point) => [...(point?.at ?? [])]));
    const weights = points.map((point) => point?.weight);
    return dbscanOracle(
      {coords, dim: this.#dim},
      weights.some((weight) => weight !== undefined)
        ? {...this.#params, sampleWeight: Float64Array.from(weights, (weight) => weight ?? 1)}
        : this.#params,
    );
  }

  /** Cluster ids of the points in the order of their ids. */
  labels(): number[] {
    const {labels, coreMask} = this.fresh();
    const names: number[] = [];
    this.ids.forEach((id, k) => {
      if (coreMask[k] === 0) return;
      for (const [name, members] of this.clusters) if (members.has(id)) names[labels[k]] = name;
    });
    return Array.from(labels, (label) => (label < 0 ? label : names[label]));
  }

  /** Applies a batch. Returns its events, in the order of the contract. */
  update({remove, move, insert}: DynamicBatch): DynamicChange[] {
    for (const id of remove) this.#points.delete(id);
    for (const {id, at} of move) this.#points.set(id, {...this.#points.get(id), at});
    for (const {id, at, weight} of insert) this.#points.set(id, {at, weight});
    const {labels, coreMask, clusterCount} = this.fresh();
    const ids = this.ids;
    const parts = Array.from(
      {length: clusterCount},
      (_, c) => new Set(ids.filter((_id, k) => coreMask[k] === 1 && labels[k] === c)),
    );
    return this.#rename(parts);
  }

  /** @param parts  core points of the clusters, ordered by their smallest */
  #rename(parts: readonly ReadonlySet<number>[]): DynamicChange[] {
    const old = [...this.clusters].sort(([a], [b]) => a - b);
    const shared = (members: ReadonlySet<number>, part: ReadonlySet<number>): number[] =>
      [...members].filter((id) => part.has(id)).sort((a, b) => a - b);
    const heirs = old.map(([, members]) => {
      let best = -1;
      parts.forEach((part, p) => {
        const common = shared(members, part);
        if (common.length === 0) return;
        const most = best < 0 ? [] : shared(members, parts[best]);
        if (this.#rules.isMore(common.length, most.length) || (common.length === most.length && common[0] < most[0])) {
          best = p;
        }
      });
      return best;
    });
    const changes: DynamicChange[] = [];
    const now = new Map<number, ReadonlySet<number>>();
    parts.forEach((part, p) => {
      const gives = old.map(([id, members], k) => ({id, isHeir: heirs[k] === p, count: shared(members, part).length}));
      const givers = gives.filter(({count}) => count > 0).sort((a, b) => b.count - a.count || a.id - b.id);
      const named = givers.filter(({isHeir}) => isHeir);
      let id = named.at(0)?.id;
      if (id === undefined) {
        const from = givers.at(0)?.id;
        if (from !== undefined && !this.#rules.namesParts) id = from;
        else id = this.#next++;
        changes.push(
          from === undefined ? {kind: 'born', id, size: part.size} : {kind: 'split', id, from, size: part.size},
        );
      }
      for (const {id: other} of named.slice(1)) changes.push({kind: 'merged', id: other, into: id});
      now.set(id, part);
    });
    old.forEach(([id, members], k) => {
      if (heirs[k] < 0) changes.push({kind: 'died', id});
      const size = now.get(id)?.size ?? members.size;
      if (size > members.size) changes.push({kind: 'grown', id, size, before: members.size});
      if (size < members.size) changes.push({kind: 'shrunk', id, size, before: members.size});
    });
    this.clusters = now;
    const rank = ({kind}: DynamicChange): number => (KINDS.includes(kind) ? KINDS.indexOf(kind) : KINDS.length);
    return changes.sort((a, b) => rank(a) - rank(b) || a.id - b.id);
  }
}
