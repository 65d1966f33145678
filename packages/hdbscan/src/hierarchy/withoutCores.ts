import type {PhaseClock} from '@epsball/clustering';
import type {HdbscanPhase, HdbscanResult} from '../algorithm.ts';
import type {CheckedParams} from '../checkParams.ts';
import {describeTree} from './describeTree.ts';

/** The result for fewer points than `params.rank`: all noise. */
export function withoutCores(n: number, params: CheckedParams, clock: PhaseClock<HdbscanPhase>): HdbscanResult {
  clock.enter('hierarchy');
  const noEdges = {from: new Int32Array(0), to: new Int32Array(0), squared: new Float64Array(0)};
  const pointOrder = Int32Array.from({length: n}, (_, i) => i);
  const core = new Float64Array(n).fill(Infinity);
  const result = describeTree({core, edges: noEdges, isSorted: true, pointOrder}, params);
  return {...result, stats: {...clock.stop(), counters: {rounds: 0, clusters: 1}}};
}
