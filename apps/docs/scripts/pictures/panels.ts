// Pictures of the guides: panels of points beside each other, as one SVG that follows the reader's light or dark
// setting.
import {CLUSTER_COLORS, COLOR_COUNT, NOISE_COLORS, type Tone} from '@epsball/clustering/palette';

/** Coordinates `[x, y]` by point. */
export type Places = readonly (readonly [x: number, y: number])[];

export interface Panel {
  readonly title: string;
  /** Elements in pixels of the panel. */
  readonly svg: string;
}

/** Pixels of a panel. */
export const PANEL = {width: 320, height: 250} as const;

const GAP = 16;
const TITLE_HEIGHT = 34;
const MARGIN = 24;
const FONT = "system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif";

/**
 * Panels in one row, each with a title above it.
 *
 * @param label  says what the picture shows, for readers who do not see it
 */
export function drawPanels(label: string, panels: readonly Panel[]): string {
  const width = panels.length * PANEL.width + (panels.length + 1) * GAP;
  const height = PANEL.height + TITLE_HEIGHT + GAP;
  const drawn = panels.map(({title, svg}, k) => {
    const x = GAP + k * (PANEL.width + GAP);
    return (
      `<text class="ink" x="${x + 2}" y="23" font-size="15">${escapeText(title)}</text>` +
      `<svg x="${x}" y="${TITLE_HEIGHT}" width="${PANEL.width}" height="${PANEL.height}">` +
      `<rect class="frame" width="${PANEL.width}" height="${PANEL.height}" rx="6"/>${svg}</svg>`
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="${FONT}" role="img" aria-label="${escapeText(label)}">${STYLE}` +
    `<rect class="page" width="${width}" height="${height}"/>${drawn.join('')}</svg>\n`
  );
}

/** The class of a point's label: `c0`, `c1` …, or `noise`. */
export function classOf(label: number): string {
  return label < 0 ? 'noise' : `c${label % COLOR_COUNT}`;
}

/** Maps coordinates to pixels of a panel, with equal units on both axes. */
export function fitPanel(places: Places): {
  readonly scale: number;
  readonly at: (place: readonly [number, number]) => readonly [number, number];
} {
  const xs = places.map(([x]) => x);
  const ys = places.map(([, y]) => y);
  const [minX, maxX, minY, maxY] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(
    (PANEL.width - 2 * MARGIN) / Math.max(maxX - minX, Number.MIN_VALUE),
    (PANEL.height - 2 * MARGIN) / Math.max(maxY - minY, Number.MIN_VALUE),
  );
  const at = ([x, y]: readonly [number, number]): readonly [number, number] => [
    PANEL.width / 2 + (x - (minX + maxX) / 2) * scale,
    PANEL.height / 2 - (y - (minY + maxY) / 2) * scale,
  ];
  return {scale, at};
}

export function circle([x, y]: readonly [number, number], radius: number, className: string, more = ''): string {
  return `<circle class="${className}" cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" ${more}/>`;
}

export function line(from: readonly [number, number], to: readonly [number, number], className: string): string {
  const [x1, y1, x2, y2] = [...from, ...to].map(round);
  return `<path class="${className}" d="M${x1} ${y1}L${x2} ${y2}"/>`;
}

export function text([x, y]: readonly [number, number], words: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text class="ink halo" x="${round(x)}" y="${round(y)}" font-size="13" text-anchor="${anchor}">${escapeText(words)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeText(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const FURNITURE: Readonly<Record<Tone, readonly string[]>> = {
  light: ['#ffffff', '#1b1f24', '#dcdfe3'],
  dark: ['#1b1b1f', '#eceff2', '#3a3f46'],
};

const STYLE = `<style>${rules('light')}@media(prefers-color-scheme:dark){${rules('dark')}}</style>`;

function rules(tone: Tone): string {
  const [page, ink, edge] = FURNITURE[tone];
  const noise = NOISE_COLORS[tone];
  const hues = CLUSTER_COLORS[tone].map((color, k) => `.c${k}{fill:${color}}.l${k}{stroke:${color};fill:none}`);
  return [
    `.page{fill:${page}}.ink{fill:${ink}}.frame{fill:none;stroke:${edge}}.noise{fill:${noise}}`,
    `.halo{paint-order:stroke;stroke:${page};stroke-width:4px}`,
    `.thin{fill:none;stroke:${noise}}.mark{fill:none;stroke:${ink};stroke-width:1.6}.ball{fill-opacity:.16}`,
    `.edge{fill:none;stroke:${ink};stroke-width:1.2}.long{fill:none;stroke:${noise};stroke-dasharray:3 3}`,
    ...hues,
  ].join('');
}
