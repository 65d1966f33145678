import {pointCount, type PartListener, type PointSet} from '@epsball/clustering';
import {CLUSTER_COLORS, COLOR_COUNT, NOISE_COLORS, rgbOf, type Tone} from '@epsball/clustering/palette';
import {placeX, placeY, type Frame} from './frame.ts';
import type {IndexedImage} from './pngFile.ts';

/** Device pixels per CSS pixel, for sharp screens and print. */
const RESOLUTION = 2;
/** Steps of opacity per colour; colours × steps and the empty pixel fit one byte. */
const LEVELS = 20;
/** Sub-pixel positions at which a dot is drawn, per axis. */
const PHASES = 4;
/** Points that are drawn between two reports. */
const POINTS_PER_REPORT = 2 ** 16;

/** Opacity of a pixel: `thin` under one dot, `full` under many. */
const CLUSTER_TONE = {thin: 0.62, full: 1};
const NOISE_TONE = {thin: 0.6, full: 1};

/**
 * Draws any number of points as a picture. The opacity follows the logarithm of the density, so that a single point
 * shows beside a pixel with thousands. A pixel takes the colour of the cluster with the most dots in it; clusters cover
 * noise.
 *
 * @param colors  number of a colour by label
 * @complexity    O(n · r² + pixels), 13 bytes per pixel
 */
export function rasterizePoints(
  points: PointSet,
  labels: Int32Array,
  colors: Uint8Array,
  frame: Frame,
  onProgress?: PartListener,
): IndexedImage {
  const width = frame.width * RESOLUTION;
  const height = frame.height * RESOLUTION;
  const layers = accumulate(points, labels, colors, frame, {width, height, onProgress});
  const clusterCrowd = crowd(layers.weight);
  const noiseCrowd = crowd(layers.noise);
  const pixels = new Uint8Array(width * height);
  for (let p = 0; p < pixels.length; p++) {
    if (layers.weight[p] > 0) {
      pixels[p] = paletteIndex(layers.owner[p], opacity(layers.weight[p], clusterCrowd, CLUSTER_TONE));
    } else if (layers.noise[p] > 0) {
      pixels[p] = paletteIndex(COLOR_COUNT, opacity(layers.noise[p], noiseCrowd, NOISE_TONE));
    }
  }
  return {width, height, pixels, palette: buildPalette('light')};
}

/** Radius of a dot in CSS pixels: dots fill about a sixth of the plot, within a least and a largest radius. */
export function dotRadius(n: number, frame: Frame): number {
  const area = (0.16 * frame.width * frame.height) / (Math.PI * Math.max(1, n));
  return Math.min(3.4, Math.max(0.4, Math.sqrt(area)));
}

interface Layers {
  /** The colour with the majority of each pixel (Boyer–Moore vote). */
  readonly owner: Uint8Array;
  /** Dots of clusters, and of noise, over each pixel. */
  readonly weight: Float32Array;
  readonly noise: Float32Array;
}

function accumulate(
  points: PointSet,
  labels: Int32Array,
  colors: Uint8Array,
  frame: Frame,
  {
    width,
    height,
    onProgress,
  }: {readonly width: number; readonly height: number; readonly onProgress: PartListener | undefined},
): Layers {
  const n = pointCount(points);
  const radius = dotRadius(n, frame) * RESOLUTION;
  const dots = drawDots(radius);
  const side = dots.side;
  const owner = new Uint8Array(width * height);
  const score = new Float32Array(width * height);
  const weight = new Float32Array(width * height);
  const noise = new Float32Array(width * height);
  for (let i = 0; i < n; i++) {
    if (i % POINTS_PER_REPORT === 0) onProgress?.(i / n);
    const x = placeX(frame, points, i) * RESOLUTION - side / 2;
    const y = placeY(frame, points, i) * RESOLUTION - side / 2;
    const left = Math.floor(x);
    const top = Math.floor(y);
    const dot = dots.coverage[Math.floor((y - top) * PHASES) * PHASES + Math.floor((x - left) * PHASES)];
    const color = labels[i] < 0 ? -1 : colors[labels[i]];
    for (let dy = Math.max(0, -top); dy < side && top + dy < height; dy++) {
      for (let dx = Math.max(0, -left); dx < side && left + dx < width; dx++) {
        const covered = dot[dy * side + dx];
        if (covered === 0) continue;
        const p = (top + dy) * width + left + dx;
        if (color < 0) {
          noise[p] += covered;
          continue;
        }
        weight[p] += covered;
        if (owner[p] === color) {
          score[p] += covered;
        } else {
          score[p] -= covered;
          if (score[p] < 0) {
            owner[p] = color;
            score[p] = -score[p];
          }
        }
      }
    }
  }
  return {owner, weight, noise};
}

interface Dots {
  readonly side: number;
  /** By sub-pixel position: the share of each of `side · side` pixels that the dot covers. */
  readonly coverage: readonly Float32Array[];
}

/** A disc at each sub-pixel position with an edge that fades over one pixel. */
function drawDots(radius: number): Dots {
  const side = 2 * Math.ceil(radius + 0.5) + 1;
  const coverage: Float32Array[] = [];
  for (let phase = 0; phase < PHASES * PHASES; phase++) {
    const centreX = side / 2 + ((phase % PHASES) + 0.5) / PHASES;
    const centreY = side / 2 + (Math.floor(phase / PHASES) + 0.5) / PHASES;
    const dot = new Float32Array(side * side);
    for (let p = 0; p < dot.length; p++) {
      const distance = Math.hypot((p % side) + 0.5 - centreX, Math.floor(p / side) + 0.5 - centreY);
      dot[p] = Math.min(1, Math.max(0, radius + 0.5 - distance));
    }
    coverage.push(dot);
  }
  return {side, coverage};
}

/** The weight that about one covered pixel in fifty exceeds. */
function crowd(weights: Float32Array): number {
  const sample: number[] = [];
  const stride = Math.max(1, Math.floor(weights.length / 200_000));
  for (let p = 0; p < weights.length; p += stride) if (weights[p] > 0) sample.push(weights[p]);
  sample.sort((a, b) => a - b);
  return sample[Math.floor(sample.length * 0.98)] ?? 1;
}

function opacity(weight: number, crowded: number, tone: {readonly thin: number; readonly full: number}): number {
  if (weight <= 1) return weight * tone.thin;
  if (crowded <= 1) return tone.full;
  return tone.thin + (tone.full - tone.thin) * Math.min(1, Math.log(weight) / Math.log(crowded));
}

/** Index 0 is the empty pixel; then `LEVELS` opacities of every colour, noise last. */
function paletteIndex(color: number, alpha: number): number {
  return 1 + color * LEVELS + Math.min(LEVELS - 1, Math.floor(alpha * LEVELS));
}

/** The colours of a picture, for a light or a dark page. */
export function buildPalette(tone: Tone): Uint8Array {
  const colors = [...CLUSTER_COLORS[tone], NOISE_COLORS[tone]];
  const palette = new Uint8Array(4 * (1 + colors.length * LEVELS));
  for (const [c, color] of colors.entries()) {
    for (let level = 0; level < LEVELS; level++) {
      palette.set([...rgbOf(color), Math.round((255 * (level + 1)) / LEVELS)], 4 * (1 + c * LEVELS + level));
    }
  }
  return palette;
}
