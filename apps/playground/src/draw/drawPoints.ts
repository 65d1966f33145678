import {COLOR_COUNT} from '@epsball/clustering/palette';
import {discOf, placeIn, reachOf, type Disc} from './disc.ts';
import {ASIDE, NO_LABEL, SETS_FROM, type DrawnPoints, type Picture} from './picture.ts';

/** Sums of a pixel: coverage, then coverage · red, green and blue. */
const SUMS = 4;

/** Opacity bytes are read from a table up to the exponent where they are 254.4. */
const TONES = 4096;
const EXPONENT_MAX = 6;

/** 255 · (1 − e^−x), for x in steps of `EXPONENT_MAX / TONES`. */
const OPACITY_BYTES = Uint8Array.from({length: TONES + 1}, (_, k) =>
  Math.round(255 * -Math.expm1((-k * EXPONENT_MAX) / TONES)),
);

interface Drawing {
  readonly points: DrawnPoints;
  readonly palette: Float32Array;
  readonly picture: Picture;
  /** Pixels of the sums around the picture: a centre lies at most one reach outside, and its disc extends one more. */
  readonly margin: number;
  /** Pixels of a row of the sums. */
  readonly stride: number;
  readonly disc: Disc;
}

/**
 * Draws labelled points by sums at each pixel: a point adds its coverage of a pixel, and its colour times the coverage.
 * So crowded points show their density, whatever their order. Points are added in parts, and the next picture uses the
 * memory again: new pages of it take as long as 50,000 points.
 */
export class PointRaster {
  #drawing: Drawing | undefined;
  #added = 0;
  #sums = new Float32Array(0);
  #words = new Uint32Array(0);

  /** Begins a picture, without points yet. @param palette  in the layout of `paletteOf` */
  begin(points: DrawnPoints, palette: Float32Array, picture: Picture): void {
    const {width, height, radius} = picture;
    const margin = 2 * reachOf(radius);
    const stride = width + 2 * margin;
    const before = this.#drawing;
    const isSameDisc = before?.picture.radius === radius && before.stride === stride;
    const disc = isSameDisc ? before.disc : discOf(radius, stride, SUMS);
    this.#drawing = {points, palette, picture, margin, stride, disc};
    this.#added = 0;
    const length = SUMS * stride * (height + 2 * margin);
    if (this.#sums.length === length) this.#sums.fill(0);
    else this.#sums = new Float32Array(length);
  }

  /** Adds at most `count` more points. @returns  whether points remain */
  add(count: number): boolean {
    if (this.#drawing === undefined) return false;
    const {points, palette, picture, margin, stride, disc} = this.#drawing;
    const {coords, labels} = points;
    const {scale, shift, width, height, step, selected} = picture;
    const {starts, offsets, coverage} = disc;
    const [sums, reach] = [this.#sums, margin / 2];
    const end = Math.min(labels.length, this.#added + count * step);
    for (let i = this.#added; i < end; i += step) {
      const px = coords[2 * i] * scale[0] + shift[0];
      const py = coords[2 * i + 1] * scale[1] + shift[1];
      // Written so that NaN fails.
      if (!(px > -reach && py > -reach && px < width + reach && py < height + reach)) continue;
      const entry = 4 * entryOf(labels[i], selected);
      const [red, green, blue, weight] = [palette[entry], palette[entry + 1], palette[entry + 2], palette[entry + 3]];
      const [x, y] = [Math.floor(px), Math.floor(py)];
      const place = placeIn(px - x, py - y);
      const centre = SUMS * ((y + margin) * stride + x + margin);
      for (let k = starts[place]; k < starts[place + 1]; k++) {
        const at = centre + offsets[k];
        const covered = coverage[k] * weight;
        sums[at] += covered;
        sums[at + 1] += covered * red;
        sums[at + 2] += covered * green;
        sums[at + 3] += covered * blue;
      }
    }
    this.#added += Math.ceil((end - this.#added) / step) * step;
    return this.#added < labels.length;
  }

  /** @returns  RGBA, 4 · width · height bytes, until the next picture; transparent where no point is */
  finish(): Uint8ClampedArray<ArrayBuffer> {
    if (this.#drawing === undefined) return new Uint8ClampedArray(0);
    const {picture, margin, stride} = this.#drawing;
    const {width, height, opacity, step} = picture;
    if (this.#words.length !== width * height) this.#words = new Uint32Array(width * height);
    const [sums, words] = [this.#sums, this.#words];
    const tones = (-Math.log(1 - opacity) * step * TONES) / EXPONENT_MAX;
    for (let y = 0; y < height; y++) {
      let at = SUMS * ((y + margin) * stride + margin);
      for (let pixel = y * width; pixel < (y + 1) * width; pixel++, at += SUMS) {
        const covered = sums[at];
        const unit = covered === 0 ? 0 : 255.5 / covered;
        const alpha = OPACITY_BYTES[Math.min(TONES, Math.floor(covered * tones))];
        // Browsers run on machines of little endian only.
        words[pixel] =
          (alpha << 24) | ((sums[at + 3] * unit) << 16) | ((sums[at + 2] * unit) << 8) | (sums[at + 1] * unit);
      }
    }
    return new Uint8ClampedArray(words.buffer);
  }
}

/** The entry of the palette for a label. */
export function entryOf(label: number, selected: number): number {
  if (label === ASIDE || (selected !== NO_LABEL && label !== selected)) return 2;
  return label < 0 ? label + 2 : SETS_FROM + (label % COLOR_COUNT);
}
