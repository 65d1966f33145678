/**
 * Waits for objects that are created at the same time. If one creation fails, destroys the others, so that no object
 * without an owner stays on the device.
 *
 * @throws  the error of the first failed creation, in the order of `creations`
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
