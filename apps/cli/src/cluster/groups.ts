import type {PointGroup} from '@epsball/clustering/catalogue';
import type {LoadedPoints} from '@epsball/datasets';
import {groupBy, type CreateDbscanOptions, type Dbscan, type DbscanOutcome, type DbscanRequest} from '@epsball/dbscan';
import type {RunOptions} from '@epsball/clustering';

/** A group as the reports show it. */
export interface GroupRow {
  name: string;
  size: number;
  /** Its clusters are numbered from here. */
  firstLabel: number;
  clusters: number;
}

/** A result that may have groups, by their number in `LoadedPoints.groups`. */
export interface MaybeGrouped {
  readonly groups?: readonly PointGroup<number>[];
}

/** What clusters the points of a file: an instance, or one run for each group. */
export interface Runner extends Pick<Dbscan, 'warmUp' | 'destroy'> {
  run(
    points: LoadedPoints,
    request: DbscanRequest,
    options: RunOptions & {readonly labels: 'borrowed'},
  ): Promise<DbscanOutcome & MaybeGrouped>;
}

/** Runs each group alone. It opens what it needs when the points are there. */
export function createGroupRunner(choice: Omit<CreateDbscanOptions, 'oneShot'>): Runner {
  return {
    run: (points, request, {signal, onProgress}) =>
      groupBy(points, points.groups?.of ?? [], {...request, ...choice, signal, onProgress}),
    warmUp: async () => undefined,
    destroy: () => undefined,
  };
}

/** Null for a result without groups. */
export function groupRowsOf({groups: names}: LoadedPoints, {groups}: MaybeGrouped): GroupRow[] | null {
  if (names === undefined || groups === undefined) return null;
  return groups.map(({key, size, firstLabel, clusterCount}) => ({
    name: names.names[key],
    size,
    firstLabel,
    clusters: clusterCount,
  }));
}
