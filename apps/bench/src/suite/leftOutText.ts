/** `left out: 12 cells, this machine has 2 threads; 8 cells, …`: one line a suite; null where nothing was. */
export function leftOutText(cells: readonly {readonly status: string; readonly reason?: string}[]): string | null {
  const reasons = cells.flatMap(({status, reason}) => (status === 'leftOut' ? [reason ?? ''] : []));
  if (reasons.length === 0) return null;
  const counted = [...Map.groupBy(reasons, (reason) => reason)].map(
    ([reason, all]) => `${all.length} ${all.length === 1 ? 'cell' : 'cells'}, ${reason}`,
  );
  return `left out: ${counted.join('; ')}`;
}
