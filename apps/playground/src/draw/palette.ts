/** A colour in sRGB, components 0 … 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

export type Theme = 'light' | 'dark';

/** Colours before they repeat. */
export const COLOURS = 48;

/** Hues in an order in which neighbours are far apart. */
const HUES = [255, 45, 150, 345, 85, 200, 305, 120];

/** Lightness, chroma and turn of the hues by theme, one for each round of hues. */
const TONES: Readonly<Record<Theme, readonly (readonly [lightness: number, chroma: number, turn: number])[]>> = {
  light: [
    [0.58, 0.16, 0],
    [0.42, 0.1, 20],
    [0.72, 0.13, 10],
    [0.5, 0.07, 0],
    [0.65, 0.19, 30],
    [0.35, 0.12, 35],
  ],
  dark: [
    [0.73, 0.15, 0],
    [0.88, 0.08, 20],
    [0.58, 0.13, 10],
    [0.7, 0.06, 0],
    [0.66, 0.19, 30],
    [0.82, 0.13, 35],
  ],
};

/** Colour of set `number` as an `oklch()` triple: lightness, chroma, hue in degrees. */
export function setColour(number: number, theme: Theme): readonly [number, number, number] {
  const k = number % COLOURS;
  const [lightness, chroma, turn] = TONES[theme][Math.floor(k / HUES.length)];
  return [lightness, chroma, (HUES[k % HUES.length] + turn) % 360];
}

export function setColourText(number: number, theme: Theme): string {
  const [lightness, chroma, hue] = setColour(number, theme);
  return `oklch(${lightness} ${chroma} ${hue})`;
}

/**
 * Converts OKLCH to sRGB; components out of the gamut are cut off.
 *
 * @source Björn Ottosson 2020, A perceptual color space for image processing
 */
export function oklchToRgb(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** An entry of `paletteOf`, as CSS writes it. */
export function colourText(palette: Float32Array, entry: number): string {
  const hex = (c: number): string =>
    Math.round(palette[4 * entry + c] * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${hex(0)}${hex(1)}${hex(2)}`;
}

function gamma(linear: number): number {
  const x = Math.min(1, Math.max(0, linear));
  return x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
}

/**
 * Colours and weights for the picture of many points, four numbers each: of points without a label, of noise, of
 * points aside while one cluster is selected, then of the sets.
 */
export function paletteOf(theme: Theme): Float32Array<ArrayBuffer> {
  const isLight = theme === 'light';
  const unseen = oklchToRgb(isLight ? 0.45 : 0.75, 0.05, 255);
  const noise = oklchToRgb(isLight ? 0.62 : 0.55, 0.01, 80);
  const aside = oklchToRgb(isLight ? 0.82 : 0.38, 0.01, 80);
  const sets = Array.from({length: COLOURS}, (_, k) => [...oklchToRgb(...setColour(k, theme)), 1]);
  return Float32Array.from([...unseen, 0.8, ...noise, 0.7, ...aside, 0.4, ...sets.flat()]);
}
