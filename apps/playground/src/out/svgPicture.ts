import {escapeText} from '../format.ts';

/** Points up to this number are circles of their own, which an editor can change. */
const CIRCLES_MAX = 5000;

export interface SvgParts {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  readonly ink: string;
  /** The picture of the canvas, as a data address. */
  readonly image: string;
  /** 2n coordinates; pixel = coordinate · scale + shift. */
  readonly coords: Float32Array;
  readonly labels: Int32Array;
  readonly scale: readonly [number, number];
  readonly shift: readonly [number, number];
  readonly radius: number;
  readonly colourOf: (label: number) => string;
  /** In the line above the picture. */
  readonly title: string;
  /** Whether the picture has more than points: then it is an image. */
  readonly isMap: boolean;
}

const HEAD = 34;

/** The shown picture as one self-contained SVG. */
export function svgPicture(parts: SvgParts): string {
  const {width, height, background, ink, image, coords, isMap, title} = parts;
  const isDrawn = !isMap && coords.length / 2 <= CIRCLES_MAX;
  const marks = isDrawn ? circles(parts) : `<image width="${width}" height="${height}" href="${image}"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + HEAD}" width="${width}" height="${height + HEAD}">` +
    `<rect width="100%" height="100%" fill="${background}"/>` +
    `<text x="12" y="22" font-family="sans-serif" font-size="14" fill="${ink}">${escapeText(title)}</text>` +
    `<svg y="${HEAD}" width="${width}" height="${height}">${marks}</svg></svg>\n`
  );
}

/** Noise first, so that clusters lie on top. */
function circles({coords, labels, scale, shift, radius, colourOf}: SvgParts): string {
  const order = Array.from(labels.keys()).sort((a, b) => Number(labels[a] >= 0) - Number(labels[b] >= 0) || a - b);
  const drawn = order.map((i) => {
    const [x, y] = [0, 1].map((axis) => (coords[2 * i + axis] * scale[axis] + shift[axis]).toFixed(1));
    return `<circle cx="${x}" cy="${y}" r="${radius.toFixed(1)}" fill="${colourOf(labels[i])}"/>`;
  });
  return `<g fill-opacity="0.85">${drawn.join('')}</g>`;
}
