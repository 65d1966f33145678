import {InvalidParameterError} from './errors.ts';

/** Where a run puts its labels and its core mask. */
export interface DbscanOutputOptions {
  /**
   * `owned`: a new array. An `Int32Array` of n elements: the run fills it and returns it, which spares a million points
   * a millisecond and ten million twenty. `borrowed`: memory of the device, without a copy; valid until `release()` of
   * the result, the next run or `destroy()`, whichever comes first. Then its length is 0. Backends other than `gpu`
   * treat `borrowed` as `owned`. Default: `owned`.
   */
  readonly labels?: 'owned' | 'borrowed' | Int32Array | undefined;
  /** A `Uint8Array` of n elements, which the run fills and returns. Default: a new one, made when it is first read. */
  readonly coreMask?: Uint8Array | undefined;
}

/** @throws InvalidParameterError  if an array that receives a result has another type or length */
export function validateOutput({labels, coreMask}: DbscanOutputOptions, n: number): void {
  const isWord = labels === undefined || labels === 'owned' || labels === 'borrowed';
  if (!isWord && !(labels instanceof Int32Array && labels.length === n)) {
    throw new InvalidParameterError('labels', describe(labels), `'owned', 'borrowed' or an Int32Array of length ${n}`);
  }
  if (coreMask !== undefined && !(coreMask instanceof Uint8Array && coreMask.length === n)) {
    throw new InvalidParameterError('coreMask', describe(coreMask), `a Uint8Array of length ${n}`);
  }
}

/** An array by type and length, for an error; its values would be too many. */
function describe(value: unknown): unknown {
  return ArrayBuffer.isView(value) && 'length' in value ? `${value.constructor.name}(${String(value.length)})` : value;
}

/**
 * Adds properties to a result, which is not modified; `more` receives its properties. Those that are computed when they
 * are first read stay so; a spread would compute them.
 */
export function extendResult<Result extends object, More extends object>(result: Result, more: More): Result & More {
  defineOn(more, result);
  return more;
}

function defineOn<Result extends object>(target: object, result: Result): asserts target is Result {
  Object.defineProperties(target, Object.getOwnPropertyDescriptors(result));
}

/** Puts a result into the checked arrays of the caller, if it is not there yet. */
export function deliver<Result extends {readonly labels: Int32Array; readonly coreMask: Uint8Array}>(
  result: Result,
  {labels, coreMask}: DbscanOutputOptions,
): Result {
  const delivered: {labels?: Int32Array; coreMask?: Uint8Array} = {};
  if (labels instanceof Int32Array && result.labels !== labels) {
    labels.set(result.labels);
    delivered.labels = labels;
  }
  if (coreMask !== undefined && result.coreMask !== coreMask) {
    coreMask.set(result.coreMask);
    delivered.coreMask = coreMask;
  }
  return Object.keys(delivered).length === 0 ? result : {...result, ...delivered};
}
