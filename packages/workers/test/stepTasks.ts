/** Words that each step raises by one. */
export interface Rounds {
  readonly words: Int32Array;
  /** Counts the words that a step found in a wrong round. */
  readonly early: Int32Array;
}

/** Raises the words of a chunk by one. Checks that no word is in a later round, or behind the round before. */
export function raise({words, early}: Rounds, start: number, end: number): void {
  if (end === start) return;
  const round = words[start];
  for (const word of words) if (word < round || word > round + 1) Atomics.add(early, 0, 1);
  for (let k = start; k < end; k++) words[k] = round + 1;
}

export function raiseAgain(rounds: Rounds, start: number, end: number): void {
  raise(rounds, start, end);
}

export function fail(_: unknown, start: number): void {
  throw new RangeError(`no ${start}`);
}

export function exitThread(): void {
  process.exit(3);
}

/** Returns its arguments as text after some milliseconds. */
export function nameChunk({ms}: {ms: number}, start: number, end: number, chunk: number): string {
  const until = performance.now() + ms;
  while (performance.now() < until);
  return `${chunk}: ${start} to ${end}`;
}
