import {pointCount, type PhaseClock} from '@epsball/clustering';
import type {HdbscanPhase, HdbscanResult} from '../algorithm.ts';
import type {CheckedParams} from '../checkParams.ts';
import type {Places} from '../places.ts';
import {describeTree} from './describeTree.ts';

/** The result for fewer places than `params.rank`: all noise. */
export function withoutCores(places: Places, params: CheckedParams, clock: PhaseClock<HdbscanPhase>): HdbscanResult {
  clock.enter('hierarchy');
  const n = pointCount(places.points);
  const noEdges = {from: new Int32Array(0), to: new Int32Array(0), squared: new Float64Array(0)};
  const pointOrder = Int32Array.from({length: n}, (_, i) => i);
  const core = new Float64Array(n).fill(Infinity);
  const result = describeTree({core, edges: noEdges, isSorted: true, pointOrder}, places, params);
  return {...result, stats: {...clock.stop(), counters: {rounds: 0, clusters: 1}}};
}
