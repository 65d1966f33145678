/**
 * Waits for objects that are created at the same time. Where one creation fails the others are waited for and destroyed, so
 * that nothing which nobody owns stays on the device.
 *
 * @param creations  running already; of what they create, whatever has a method `destroy` is destroyed on failure
 * @returns          what was created, in the same order; owned by the caller
 * @throws           what the first failed one threw
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
