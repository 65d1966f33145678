/** Counts the chunks. */
export function countLate({counts}: {counts: Int32Array}): void {
  Atomics.add(counts, 0, 1);
}
