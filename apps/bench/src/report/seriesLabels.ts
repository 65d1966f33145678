/** The label of one line, beside its last point. */
export interface SeriesLabel {
  readonly lines: readonly string[];
  readonly color: string;
  /** Last point of the line, in pixels of the plot. */
  readonly x: number;
  readonly y: number;
  /** Middle of the label, moved so that labels do not overlap. */
  readonly labelY: number;
}

const LINE_HEIGHT = 14;
const GAP = 3;
/** Longer labels break before a bracket or `over`, or at a space. */
const LONG = 18;
/** Right of the labels. */
const MARGIN = 12;
/** Widths are guessed: there is no canvas to measure on. */
const CHARACTER_WIDTH = 6.7;

/**
 * Moves labels apart that would overlap, as little as needed.
 *
 * @param ends    one a line, with the last point in pixels
 * @param height  of the plot
 */
export function placeLabels(
  ends: readonly {readonly text: string; readonly color: string; readonly x: number; readonly y: number}[],
  height: number,
): SeriesLabel[] {
  const labels = ends
    .map(({text, ...end}) => ({...end, lines: breakLabel(text), labelY: end.y}))
    .sort((a, b) => a.y - b.y);
  let floor = -LINE_HEIGHT;
  for (const label of labels) {
    const half = (label.lines.length * LINE_HEIGHT) / 2;
    label.labelY = Math.max(label.labelY, floor + half + GAP);
    floor = label.labelY + half;
  }
  let ceiling = height + LINE_HEIGHT;
  for (const label of labels.toReversed()) {
    const half = (label.lines.length * LINE_HEIGHT) / 2;
    label.labelY = Math.min(label.labelY, ceiling - half - GAP);
    ceiling = label.labelY - half;
  }
  return labels;
}

/** Pixels that the labels need. */
export function labelWidth(texts: readonly string[]): number {
  return Math.ceil(Math.max(0, ...texts.flatMap(breakLabel).map(({length}) => length)) * CHARACTER_WIDTH) + MARGIN;
}

function breakLabel(text: string): string[] {
  if (text.length <= LONG) return [text];
  const places = [' (', ' over ', ' ∝ ', ' · '].map((mark) => text.indexOf(mark)).filter((place) => place > 0);
  const place = places.length > 0 ? Math.min(...places) : text.lastIndexOf(' ', LONG);
  if (place <= 0) return [text];
  return [text.slice(0, place), ...breakLabel(text.slice(place + 1))];
}
