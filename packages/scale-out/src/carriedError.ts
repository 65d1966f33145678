import {InvalidParameterError, InvalidPointsError, RunAbortedError} from '@epsball/clustering';
import {DatasetFormatError, DatasetWriteError} from '@epsball/datasets';
import {ScaleOutError} from './run.ts';
import {DamagedFileError, StoreError} from './store/store.ts';

/** Classes that callers tell apart. */
const CLASSES = {
  DamagedFileError,
  DatasetFormatError,
  DatasetWriteError,
  InvalidParameterError,
  InvalidPointsError,
  RunAbortedError,
  ScaleOutError,
  StoreError,
};

/** An error as a message between threads, which would drop its class and fields. */
export interface CarriedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function packError(error: unknown): CarriedError {
  if (!(error instanceof Error)) return {name: 'Error', message: String(error), stack: undefined, fields: {}};
  const {name, message, stack} = error;
  const plain = Object.entries(error).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return {name, message, stack, fields: Object.fromEntries(plain)};
}

export function unpackError({name, message, stack, fields}: CarriedError): Error {
  const error = new Error(message);
  const [, found] = Object.entries(CLASSES).find(([own]) => own === name) ?? [];
  if (found !== undefined) Object.setPrototypeOf(error, found.prototype);
  return Object.assign(error, fields, {name, stack});
}
