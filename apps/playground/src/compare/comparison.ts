import {signal} from '@preact/signals';
import {catalogue, type Backend} from '@epsball/dbscan';
import type {RunOutcome} from '../compute/api.ts';
import {compute} from '../compute/client.ts';
import {link, metricOptions} from '../state/linkState.ts';
import {environment} from '../state/session.ts';
import {messageOf} from '../format.ts';
import {whyUnavailable} from './unavailable.ts';

export interface ComparedRun {
  readonly algorithm: string;
  readonly title: string;
  readonly backend: Backend;
  readonly isChosen: boolean;
  readonly result: ComparedResult;
}

type ComparedResult =
  | {readonly state: 'none' | 'running'}
  | {readonly state: 'failed'; readonly message: string}
  | {
      readonly state: 'done';
      readonly outcome: RunOutcome;
      /** Whether pipelines and threads were ready before the run. */
      readonly isWarm: boolean;
      /** Whether the labels equal those of the first run, byte for byte. */
      readonly isSame: boolean;
    };

/** A second run is measured if the first one took less than this. */
const SECOND_RUN_MS = 3000;

export const comparedRuns = signal<readonly ComparedRun[]>(
  catalogue.flatMap(({id, title, backends}) =>
    backends.map((backend) => ({
      algorithm: id,
      title,
      backend,
      isChosen: true,
      result: {state: 'none'} as const,
    })),
  ),
);

export const isComparing = signal(false);

/** Runs the chosen variants one after another, so that they do not disturb each other. */
export async function compareAll(): Promise<void> {
  isComparing.value = true;
  comparedRuns.value = comparedRuns.value.map((run) => ({...run, result: {state: 'none'}}));
  let reference: Int32Array | undefined;
  for (let index = 0; index < comparedRuns.value.length && isComparing.value; index++) {
    const {algorithm, backend, isChosen} = comparedRuns.value[index];
    if (!isChosen || whyUnavailable(environment.value, algorithm, backend) !== undefined) continue;
    changeRun(index, {result: {state: 'running'}});
    const result = await measure(comparedRuns.value[index], reference);
    changeRun(index, {result});
    if (result.state === 'done') reference ??= result.outcome.labels;
  }
  isComparing.value = false;
}

export function stopComparing(): void {
  isComparing.value = false;
  void compute.cancel();
}

async function measure({algorithm, backend}: ComparedRun, reference: Int32Array | undefined): Promise<ComparedResult> {
  const {eps, minPts} = link.value;
  const request = {method: 'dbscan', algorithm, backend, eps, minPts, metric: metricOptions.value} as const;
  try {
    const first = await compute.run(request);
    const isWarm = first.stats.wallMs < SECOND_RUN_MS && isComparing.value;
    const outcome = isWarm ? await compute.run(request) : first;
    return {state: 'done', outcome, isWarm, isSame: equals(outcome.labels, reference ?? outcome.labels)};
  } catch (error) {
    return {state: 'failed', message: messageOf(error)};
  }
}

function equals(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((label, i) => label === b[i]);
}

export function changeRun(index: number, changes: Partial<ComparedRun>): void {
  comparedRuns.value = comparedRuns.value.map((run, k) => (k === index ? {...run, ...changes} : run));
}
