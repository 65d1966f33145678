import {WorkersUnavailableError} from '@epsball/clustering';
import {host} from '#host';

/** @throws WorkersUnavailableError  if threads cannot share memory here; says what to do */
export function requireSharedMemory(): void {
  const missing = host.missing();
  if (missing !== undefined) throw new WorkersUnavailableError(missing);
}
