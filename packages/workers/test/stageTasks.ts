/** Words that the stages go over, each to be raised by one in each stage. */
export interface Rounds {
  readonly words: Int32Array;
  /** Words that were found at another round than the one before. */
  readonly early: Int32Array;
}

/** Raises some words by one, and looks at all others: none may be in a later round yet, nor two behind. */
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

/** Says what it was given, after some milliseconds. */
export function nameChunk({ms}: {ms: number}, start: number, end: number, chunk: number): string {
  const until = performance.now() + ms;
  while (performance.now() < until);
  return `${chunk}: ${start} to ${end}`;
}
