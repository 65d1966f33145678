import type {Subject} from '../cell.ts';
import {profileOf, type Profile, type Suite, type Workload} from '../suite.ts';
import {spots} from './ours.ts';
import {DENSE_GRID, DS_SEQ} from './subjects.ts';

const DYNAMIC: Subject = {row: 'dynamic', backend: 'sequential'};

/** Points that come and go, beside runs from nothing. */
export const dynamic: Suite = {
  kind: 'dynamic',
  id: 'dynamic',
  title: 'Points that come and go',
  source: 'epsball: @epsball/dbscan-dynamic',
  reproduces:
    'Reproduces no figure; it times changes of points that stand, and simulated traffic, beside runs from nothing',
  subjects: [DYNAMIC, DS_SEQ, DENSE_GRID],
  reference: null,
  axis: 'changes',
  profiles: {
    quick: profile(10_000, [1, 100], 0.5, 60),
    full: profile(1_000_000, [1, 100, 1000, 10_000, 20_000, 50_000, 100_000], 60, 3600),
  },
  notes: [
    'As many points go as come, each a tenth of eps from one that was there. A run from nothing takes as long for each number. Counters have the median and the 99.9th percentile of the removals and insertions of a round, in µs, and the first batch.',
    'Traffic: 10,000 cars send a position every 10 s, and the window keeps 5 minutes; haversine, 50 m, minPts 40. Counters have the milliseconds of processor time, the events, and the MiB held at half of the time and at its end.',
    'Not measured here: the README of incdbscan, in Python, says that 8,000 points one by one typically take 10 to 20 seconds, on a machine that it does not name: 1.3 to 2.5 ms a point. For 20,000 points it has a picture only.',
    'In the end, labels are compared with a run from nothing.',
  ],
};

/** @param minutes  of traffic */
function profile(n: number, changes: readonly number[], minutes: number, suiteSeconds: number): Profile {
  const points = spots(n, 2);
  const cars = 10_000;
  const traffic: Workload = {
    dataset: 'traffic',
    n: 6 * minutes * cars,
    dim: 2,
    params: {eps: 50, minPts: 40, cars, minutes},
    subjects: [DYNAMIC],
  };
  const workloads = [...changes.map((count) => ({...points, params: {...points.params, changes: count}})), traffic];
  const bounds = {softwareGpuMaxN: 0, cellSeconds: 600, repeatSeconds: 10, suiteSeconds};
  return profileOf({workloads}, {warmups: 1, repeats: 3, settleSeconds: 0}, bounds);
}
