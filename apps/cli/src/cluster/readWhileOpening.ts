/**
 * Reads the points while a device opens.
 *
 * @param opening  the device, on its way
 * @param read     receives a signal that fires if the run is aborted, or the device cannot be opened
 * @throws the error of `opening`, without waiting for the read; else what `read` throws
 */
export async function readWhileOpening<Points>(
  opening: Promise<unknown>,
  signal: AbortSignal,
  read: (signal: AbortSignal) => Promise<Points>,
): Promise<Points> {
  const failed = new AbortController();
  opening.catch((error: unknown) => failed.abort(error));
  const points = await read(AbortSignal.any([signal, failed.signal]));
  await opening;
  return points;
}
