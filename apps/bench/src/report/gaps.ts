type Outcome =
  | {readonly status: 'measured'}
  | {readonly status: 'failed'; readonly error: string}
  | {readonly status: 'leftOut'; readonly reason: string};

/** What gaps need to know of a run, whatever its cells measure. */
interface RunOf<Cell> {
  readonly letter: string;
  readonly result: {readonly cells: readonly Cell[]};
}

/** Why cells were left out or failed, each reason once, with the cells it concerns. */
export function listGaps<Cell extends Outcome>(runs: readonly RunOf<Cell>[], nameOf: (cell: Cell) => string): string[] {
  const gaps = runs.flatMap(({letter, result}) =>
    result.cells.flatMap((cell) => {
      const reason = reasonOf(cell);
      return reason === null ? [] : [{reason, name: nameOf(cell) + (runs.length > 1 ? ` · ${letter}` : '')}];
    }),
  );
  const byReason = Map.groupBy(gaps, ({reason}) => reason);
  return [...byReason].map(([reason, alike]) => `${reason} (${alike.map(({name}) => name).join('; ')})`);
}

function reasonOf(outcome: Outcome): string | null {
  if (outcome.status === 'measured') return null;
  return outcome.status === 'failed' ? `Failed: ${outcome.error}` : `Left out: ${outcome.reason}`;
}
