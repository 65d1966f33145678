/** One picture with the words around it. */
export interface Chart {
  /** File name stem, unique within the section. */
  readonly name: string;
  readonly title: string;
  readonly caption: string;
  readonly svg: string;
}

/** Runs beyond these share the last dash; the table tells them apart. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

/** Eight hues that stay apart for colour-blind readers, in fixed order; the page defines both themes' steps. */
const HUES = 8;

/** The colour of the place-th thing of a section: the same in every chart of it. */
export function hueAt(place: number): string {
  return `var(--hue-${(Math.max(0, place) % HUES) + 1})`;
}
