/** Kinds of entries: `chart` has data of its own, `diagram` explains, `picture` shows points. */
export type EntryKind = 'table' | 'chart' | 'picture' | 'claim' | 'listing' | 'equation' | 'diagram' | 'definition';

/** A table, figure, listing, equation or claim of a source document, and where this repository has it. */
export interface DocumentEntry {
  /** Identifier in the inventory of the documents: `dc-fig7a`. */
  readonly id: string;
  /** As the document names it: `Figure 7(a)`. */
  readonly label: string;
  readonly kind: EntryKind;
  /** What the entry shows or states, in a few words. */
  readonly what: string;
  /**
   * The document's own numbers and words, verbatim but for emphasis and TeX. Of a table all numbers, row by row. Empty
   * for listings, equations and diagrams without numbers.
   */
  readonly printed: readonly string[];
  readonly shown: Shown;
}

/** Where this repository has an entry. */
export type Shown = Measured | Built | Absent;

/** Suites measure the entry, and their results decide whether it holds. */
export interface Measured {
  readonly by: 'suites';
  /** Ids of the suites, the one that shows the entry first. */
  readonly suites: readonly string[];
  /** When the entry holds for our results. A sentence without its full stop. */
  readonly rule: string;
}

/** Source files contain the entry. */
export interface Built {
  readonly by: 'code';
  /** From the root of the repository. */
  readonly files: readonly string[];
  readonly note?: string;
}

/** The entry cannot be had here. */
export interface Absent {
  readonly by: 'nothing';
  /** A sentence without its full stop. */
  readonly reason: string;
}

/** The entries of one document, in its order. */
export interface SourceDocument {
  readonly id: 'milanesi' | 'mean-shift' | 'hybrid' | 'dclust';
  readonly title: string;
  readonly entries: readonly DocumentEntry[];
}

export function measured(suites: readonly string[], rule: string): Measured {
  return {by: 'suites', suites, rule};
}

export function built(files: readonly string[], note?: string): Built {
  return note === undefined ? {by: 'code', files} : {by: 'code', files, note};
}

export function absent(reason: string): Absent {
  return {by: 'nothing', reason};
}
