import {CLUSTER_COLORS, COLOR_COUNT, NOISE_COLORS, type Tone} from '@epsball/clustering/palette';

/** `auto` follows the reader's light or dark setting. */
export type Theme = 'auto' | 'light' | 'dark';

/** With single quotes: double quotes end the attribute around it. */
export const FONT_FAMILY = "'Inter','Segoe UI','Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif";

const TONES = {
  light: {page: '#ffffff', ink: '#1b1f24', muted: '#626a73', grid: '#e9ecef'},
  dark: {page: '#14171b', ink: '#eceff2', muted: '#9aa3ad', grid: '#272c33'},
} as const;

/** The style element of a plot. Class names start with `eb-`, because inline SVG shares the page's styles. */
export function themeStyle(theme: Theme): string {
  if (theme !== 'auto') return `<style>${rules(theme)}</style>`;
  return `<style>${rules('light')}@media (prefers-color-scheme: dark){${rules('dark')}}</style>`;
}

function rules(tone: Tone): string {
  const {page, ink, muted, grid} = TONES[tone];
  const clusters = CLUSTER_COLORS[tone].map(
    (color, k) => `.${colorClass(k)}{fill:${color}}.${strokeClass(k)}{stroke:${color}}`,
  );
  const other = tone === 'light' ? 'dark' : 'light';
  return (
    `${clusters.join('')}.${colorClass(-1)}{fill:${NOISE_COLORS[tone]}}` +
    `.eb-number{text-anchor:middle;font-weight:600;paint-order:stroke;stroke:${page};stroke-width:3px}` +
    `.eb-${tone}{display:inline}.eb-${other}{display:none}` +
    `.eb-page{fill:${page}}.eb-ink{fill:${ink}}.eb-muted{fill:${muted}}` +
    `.eb-grid{stroke:${grid};fill:none}.eb-edge{stroke:${muted};fill:none}.eb-way{stroke:${ink};fill:none}`
  );
}

/** The class whose fill is the colour of a cluster, or of noise for −1. */
export function colorClass(color: number): string {
  return color < 0 ? 'eb-noise' : `eb-c${color % COLOR_COUNT}`;
}

/** The class whose stroke is the colour of a cluster. */
export function strokeClass(color: number): string {
  return `eb-s${color % COLOR_COUNT}`;
}

/** A coordinate, rounded to a hundredth of a pixel. */
export function num(value: number): string {
  return String(Math.round(value * 100) / 100);
}
