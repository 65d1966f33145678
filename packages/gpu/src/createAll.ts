/**
 * Waits for objects that are created at the same time. If one creation fails, waits for the others and destroys them,
 * so that no object without an owner stays on the device.
 *
 * @param creations  running promises; on failure every created object with a method `destroy` is destroyed
 * @returns          the created objects in the same order; owned by the caller
 * @throws           the error of the first failed creation, in the order of `creations`
 */
export async function createAll<const Creations extends readonly Promise<unknown>[]>(
  creations: Creations,
): Promise<{-readonly [k in keyof Creations]: Awaited<Creations[k]>}>;
export async function createAll(creations: readonly Promise<unknown>[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(creations);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  const created = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  if (!failure) return created;
  for (const one of created) if (isOwner(one)) one.destroy();
  throw failure.reason;
}

function isOwner(value: unknown): value is {destroy(): void} {
  return typeof value === 'object' && value !== null && 'destroy' in value && typeof value.destroy === 'function';
}
