/** Counts items that are done, and the parts of those that are being worked on. */
export class PartialCount {
  readonly #parts = new Map<number, number>();
  readonly #report: (done: number) => void;
  #done: number;

  /** @param report  hears of each change; of the items that were done before at once */
  constructor(done: number, report: (done: number) => void) {
    this.#done = done;
    this.#report = report;
    report(done);
  }

  begin(index: number): void {
    this.#parts.set(index, 0);
  }

  /** A message of a thread may come after the end of its item: it does not count. */
  reach(index: number, part: number): void {
    if (!this.#parts.has(index)) return;
    this.#parts.set(index, part);
    this.#report([...this.#parts.values()].reduce((sum, one) => sum + one, this.#done));
  }

  /** @param isDone  false: the item has to be done again */
  end(index: number, isDone = true): void {
    if (isDone) this.reach(index, 1);
    this.#parts.delete(index);
    if (isDone) this.#done++;
  }
}
