import type {PointSet} from '@epsball/clustering';
import type {Picture} from './imageFile.ts';
import {labOfRgb, rgbOfLab} from './lab.ts';

/** Coordinates of a pixel: x, y, L*, a*, b*. */
const DIM = 5;

/** A bandwidth in the picture and in colour. */
export interface PixelScale {
  /** Pixels. */
  readonly spatialBandwidth: number;
  /** Units of L*a*b*. */
  readonly colorBandwidth: number;
}

/**
 * The pixels as points: x/S, y/S, L/R, a/R, b/R, for a bandwidth of 1.
 *
 * @returns  float32 coordinates on a `SharedArrayBuffer`, which worker threads use without a copy
 * @source   Comaniciu and Meer 2002, §3.3 (joint domain)
 */
export function pointsOfPicture(
  {width, height, rgb}: Picture,
  {spatialBandwidth, colorBandwidth}: PixelScale,
): PointSet {
  const coords = new Float32Array(new SharedArrayBuffer(4 * DIM * width * height));
  const lab = new Float64Array(3);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      labOfRgb(rgb, 3 * i, lab);
      coords[DIM * i] = x / spatialBandwidth;
      coords[DIM * i + 1] = y / spatialBandwidth;
      coords[DIM * i + 2] = lab[0] / colorBandwidth;
      coords[DIM * i + 3] = lab[1] / colorBandwidth;
      coords[DIM * i + 4] = lab[2] / colorBandwidth;
    }
  }
  return {coords, dim: DIM};
}

/** The colour of a segment: of its mode, or the mean of its pixels in L*a*b*; or the picture with the borders. */
export type Paint = 'mode' | 'mean' | 'borders';

/** Rare in photographs, and bright: the colour that scikit-image takes for borders, too. */
const BORDER = [255, 255, 0];

export interface Segments {
  readonly labels: Int32Array;
  /** In bandwidths. */
  readonly clusterCenters: Float64Array;
}

/** The picture with each segment in one colour, or with its borders, and the same opacity. */
export function paintSegments(picture: Picture, segments: Segments, scale: PixelScale, paint: Paint): Picture {
  if (paint === 'borders') return drawBorders(picture, segments);
  const {labels} = segments;
  const palette = paint === 'mode' ? modeColors(segments.clusterCenters, scale) : meanColors(picture, segments);
  const rgb = new Uint8Array(3 * labels.length);
  for (let i = 0; i < labels.length; i++) {
    const from = 3 * labels[i];
    rgb[3 * i] = palette[from];
    rgb[3 * i + 1] = palette[from + 1];
    rgb[3 * i + 2] = palette[from + 2];
  }
  return {...picture, rgb};
}

/** Pixels whose right or lower neighbour is in another segment become a line. */
function drawBorders(picture: Picture, {labels}: Segments): Picture {
  const {width} = picture;
  const rgb = picture.rgb.slice();
  for (let i = 0; i < labels.length; i++) {
    const endsRow = (i + 1) % width === 0;
    const isBorder =
      (!endsRow && labels[i + 1] !== labels[i]) || (i + width < labels.length && labels[i + width] !== labels[i]);
    if (isBorder) rgb.set(BORDER, 3 * i);
  }
  return {...picture, rgb};
}

/** The colours of modes, three bytes per segment. */
export function modeColors(clusterCenters: Float64Array, {colorBandwidth: r}: PixelScale): Uint8Array {
  const palette = new Uint8Array((3 * clusterCenters.length) / DIM);
  for (let at = 2, to = 0; to < palette.length; at += DIM, to += 3) {
    rgbOfLab(r * clusterCenters[at], r * clusterCenters[at + 1], r * clusterCenters[at + 2], palette, to);
  }
  return palette;
}

function meanColors({rgb}: Picture, {labels, clusterCenters}: Segments): Uint8Array {
  const count = clusterCenters.length / DIM;
  const sums = new Float64Array(3 * count);
  const sizes = new Uint32Array(count);
  const lab = new Float64Array(3);
  for (let i = 0; i < labels.length; i++) {
    labOfRgb(rgb, 3 * i, lab);
    sizes[labels[i]]++;
    for (let d = 0; d < 3; d++) sums[3 * labels[i] + d] += lab[d];
  }
  const palette = new Uint8Array(3 * count);
  for (let c = 0; c < count; c++) {
    const [l, a, b] = sums.subarray(3 * c, 3 * c + 3);
    rgbOfLab(l / sizes[c], a / sizes[c], b / sizes[c], palette, 3 * c);
  }
  return palette;
}
