import {CLUSTER_COLORS, COLOR_COUNT, NOISE_COLORS, rgbOf, type Tone} from '@epsball/clustering/palette';

export type Theme = Tone;

/** Points without a label, and points aside while one cluster is selected. */
const OTHERS = {
  light: {unseen: '#5b6673', aside: '#d5d1c8'},
  dark: {unseen: '#a3aab5', aside: '#3d3f45'},
} as const;

/** Noise is sparse and pale: its points are drawn stronger than those of clusters. */
const NOISE_WEIGHT = 1.8;

/** Colour of set `number`; the colours repeat. */
export function setColourText(number: number, theme: Theme): string {
  return CLUSTER_COLORS[theme][number % COLOR_COUNT];
}

/**
 * Colours and weights for the picture of many points, four numbers each: of points without a label, of noise, of
 * points aside while one cluster is selected, then of the sets.
 */
export function paletteOf(theme: Theme): Float32Array<ArrayBuffer> {
  const {unseen, aside} = OTHERS[theme];
  const entry = (color: string, weight: number): number[] => [...rgbOf(color).map((byte) => byte / 255), weight];
  return Float32Array.from([
    ...entry(unseen, 0.8),
    ...entry(NOISE_COLORS[theme], NOISE_WEIGHT),
    ...entry(aside, 0.4),
    ...CLUSTER_COLORS[theme].flatMap((color) => entry(color, 1)),
  ]);
}

/** An entry of `paletteOf`, as CSS writes it. */
export function colourText(palette: Float32Array, entry: number): string {
  const hex = (c: number): string =>
    Math.round(palette[4 * entry + c] * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${hex(0)}${hex(1)}${hex(2)}`;
}
