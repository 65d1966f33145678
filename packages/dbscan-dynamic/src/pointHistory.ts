import {NOISE} from '@epsball/clustering';

/** Points whose cluster has changed, by id. −1 is noise, and the cluster before of a new point. */
export interface PointChanges {
  readonly ids: Float64Array;
  readonly before: Float64Array;
  readonly after: Float64Array;
}

/** Remembers the clusters of points, to tell which have changed. */
export class PointHistory {
  ids: Float64Array = new Float64Array(0);
  labels: Float64Array = new Float64Array(0);

  /** @param now  points by ascending id; kept */
  compare(now: {readonly ids: Float64Array; readonly labels: Float64Array}): PointChanges {
    const changed: number[] = [];
    const before = new Float64Array(now.ids.length).fill(NOISE);
    for (let k = 0, old = 0; k < now.ids.length; k++) {
      while (old < this.ids.length && this.ids[old] < now.ids[k]) old++;
      if (old < this.ids.length && this.ids[old] === now.ids[k]) before[k] = this.labels[old];
      if (before[k] !== now.labels[k]) changed.push(k);
    }
    this.ids = now.ids;
    this.labels = now.labels;
    return {
      ids: Float64Array.from(changed, (k) => now.ids[k]),
      before: Float64Array.from(changed, (k) => before[k]),
      after: Float64Array.from(changed, (k) => now.labels[k]),
    };
  }
}
