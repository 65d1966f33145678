/** The page behind a plot. */
export type Tone = 'light' | 'dark';

/**
 * Colours of clusters in plots, reports and pages, as `#rrggbb`, for a light and for a dark background. With more
 * clusters than colours the colours repeat, and a number or a shape says which cluster it is.
 *
 * Any two of a tone stay apart with normal colour vision, in deuteranopia and protanopia, and as greys. Each has a
 * contrast of 3 : 1 or more to its background. A search found them: one colour for each of ten levels of grey, so that
 * the smallest distance in OKLab is large. `palette.test.ts` has the bounds.
 */
export const CLUSTER_COLORS: Readonly<Record<Tone, readonly string[]>> = {
  light: [
    '#052eab', // blue
    '#bb6410', // orange
    '#521200', // brown
    '#b67ed7', // lilac
    '#a51658', // raspberry
    '#625be3', // periwinkle
    '#600061', // purple
    '#129a75', // teal
    '#00698f', // petrol
    '#255500', // green
  ],
  dark: [
    '#6d86ff', // blue
    '#fcb92d', // orange
    '#41850a', // green
    '#daa0fd', // lilac
    '#d04fb7', // pink
    '#85f1f7', // sky
    '#f0f82c', // yellow
    '#38bda2', // teal
    '#b69b0d', // olive
    '#32eea2', // mint
  ],
};

/** Colours of noise: nearer to the background than any cluster, in colour and as a grey. */
export const NOISE_COLORS: Readonly<Record<Tone, string>> = {light: '#ccccc9', dark: '#545759'};

/** Colours before they repeat. */
export const COLOR_COUNT = 10;

/** `#rrggbb` as three bytes. */
export function rgbOf(color: string): readonly [red: number, green: number, blue: number] {
  const bits = Number.parseInt(color.slice(1), 16);
  return [bits >> 16, (bits >> 8) & 255, bits & 255];
}
