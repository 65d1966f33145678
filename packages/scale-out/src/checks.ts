import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import {TASK_KINDS, type Task, type TileBackend} from './run.ts';

/** Checks of the public border, for callers without type checks. All throw InvalidParameterError. */

const BACKENDS: readonly TileBackend['backend'][] = ['auto', 'gpu', 'workers', 'sequential'];

export function checkText(name: string, value: unknown, expectation: string): void {
  if (typeof value !== 'string' || value === '') throw new InvalidParameterError(name, value, expectation);
}

/** An integer from `least` on; undefined passes. */
export function checkInteger(name: string, value: unknown, least = 1): void {
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= least)) return;
  throw new InvalidParameterError(name, value, `an integer ≥ ${least}`);
}

/** One of several texts; undefined passes. */
export function checkChoice(name: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || choices.some((choice) => choice === value)) return;
  throw new InvalidParameterError(name, value, choices.join(' or '));
}

/** A function; undefined passes. */
export function checkFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw new InvalidParameterError(name, value, 'a function');
}

/** An `AbortSignal`; undefined and null pass. */
export function checkSignal(value: unknown): void {
  const isSignal = typeof value === 'object' && (value === null || 'throwIfAborted' in value);
  if (value !== undefined && !isSignal) throw new InvalidParameterError('signal', value, 'an AbortSignal');
}

/** A list of texts; undefined passes. */
export function checkTexts(name: string, value: unknown): void {
  if (value === undefined) return;
  const isList = Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string');
  if (!isList) throw new InvalidParameterError(name, value, 'a list of texts that is not empty');
}

/** How tiles are clustered; undefined passes. `dbscan()` checks the algorithm. */
export function checkTile(name: string, value: object | undefined): void {
  if (value === undefined) return;
  checkKnownOptions(value, ['backend', 'algorithm', 'threads'], name, '{backend, algorithm, threads}');
  const {backend, algorithm, threads}: Partial<TileBackend> = value;
  checkChoice(`${name}.backend`, backend, BACKENDS);
  if (algorithm !== undefined) checkText(`${name}.algorithm`, algorithm, 'the name of an algorithm');
  checkInteger(`${name}.threads`, threads);
}

/** Checks places of GPUs; undefined passes. With them, the calling thread clusters no tile. */
export function checkGpus(gpus: unknown, callingThreadTile?: object): void {
  if (gpus === undefined) return;
  const isList = Array.isArray(gpus) && gpus.length > 0 && gpus.every((place) => Object(place) === place);
  if (!isList) throw new InvalidParameterError('gpus', gpus, 'a list of places, as hostGpus returns it');
  if (callingThreadTile === undefined) return;
  throw new InvalidParameterError('callingThreadTile', callingThreadTile, 'left out with gpus');
}

/** What `createRun` and `openRun` return. */
export function checkRun(value: unknown): void {
  const isRun = typeof value === 'object' && value !== null && 'store' in value && 'doneTasks' in value;
  if (!isRun) throw new InvalidParameterError('run', value, 'a run that createRun or openRun returned');
}

export function checkTask(value: unknown): asserts value is Task {
  const {kind, index, round}: Partial<Record<keyof Task, unknown>> = Object(value);
  if (kind === undefined) throw new InvalidParameterError('task', value, '{kind, index, round}');
  checkChoice('task.kind', kind, TASK_KINDS);
  checkInteger('task.index', index ?? Number.NaN, 0);
  checkInteger('task.round', round, 0);
}
