import {drawOutlines, type Outlines} from '../map/outlines.ts';
import {select, type Selection} from 'd3-selection';
import {zoom, zoomIdentity, zoomTransform, type ZoomBehavior} from 'd3-zoom';
import {mapOf, opacityFor, radiusFor, type Box} from './camera.ts';
import {colourText, paletteOf, type Theme} from './palette.ts';
import {svgPicture} from '../out/svgPicture.ts';
import {entryOf, PointRaster} from './drawPoints.ts';
import {NO_LABEL, type Picture} from './picture.ts';

/** Pixels drawn at most: the sums of a pixel are 16 bytes. */
const PIXELS_MAX = 2 ** 23;
/** While the reader moves the view, a picture that takes longer shows fewer points. */
const SMOOTH_MS = 20;
/** At rest, a picture is drawn in parts of this time, so that the page answers in between. */
const PART_MS = 12;
/** Points that are added between two looks at the clock. */
const PART_POINTS = 4096;
/** Milliseconds that a point takes, until the first picture is there. */
const POINT_MS = 5e-4;
/** Time without a movement after which all points are drawn. */
const REST_MS = 120;

export interface ViewPoints {
  readonly coords: Float32Array;
  readonly box: Box;
}

/** How long a picture took, and its map: style pixel = coordinate · (scale, −scale) + shift. */
export interface Drawn {
  readonly ms: number;
  readonly scale: number;
  readonly shift: readonly [number, number];
}

/** Colours of a saved picture, by theme. */
const PAGE = {light: {background: '#fdfcf9', ink: '#22252b'}, dark: {background: '#14161b', ink: '#e6e4de'}} as const;

/** Lines of a map, by theme. */
const OUTLINE: Readonly<Record<Theme, string>> = {light: '#b9b4a6', dark: '#4a505c'};

/** Draws points on a canvas whenever something has changed, and moves the view by mouse, touch and keys. */
export class ViewController {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  readonly #onDrawn: (drawn: Drawn) => void;
  readonly #selection: Selection<HTMLCanvasElement, unknown, null, undefined>;
  readonly #behavior: ZoomBehavior<HTMLCanvasElement, unknown>;
  readonly #resizes: ResizeObserver;
  #points: ViewPoints = {coords: new Float32Array(0), box: {min: [0, 0], max: [1, 1]}};
  #labels: Int32Array = new Int32Array(0);
  #outlines: Outlines = [];
  #theme: Theme = 'light';
  #palette: Float32Array = new Float32Array(0);
  #selected = NO_LABEL;
  #isMoving = false;
  #restTimer = 0;
  #isQueued = false;
  readonly #raster = new PointRaster();
  /** The next part of the picture that is being drawn. */
  #partTimer = 0;
  /** Milliseconds of a picture with all points. */
  #fullMs = 0;

  constructor(canvas: HTMLCanvasElement, onDrawn: (drawn: Drawn) => void) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
    this.#onDrawn = onDrawn;
    this.#selection = select(canvas);
    this.#behavior = zoom<HTMLCanvasElement, unknown>()
      .scaleExtent([0.5, 1e5])
      .clickDistance(4)
      .on('zoom', () => this.#move());
    this.#selection.call(this.#behavior).on('dblclick.zoom', null);
    this.#resizes = new ResizeObserver(() => this.#invalidate());
    this.#resizes.observe(canvas);
  }

  setPoints(points: ViewPoints, labels: Int32Array | undefined): void {
    this.#points = points;
    this.#fullMs = (points.coords.length / 2) * POINT_MS;
    this.setLabels(labels);
    this.reset();
  }

  setLabels(labels: Int32Array | undefined): void {
    this.#labels = labels ?? new Int32Array(this.#points.coords.length / 2).fill(NO_LABEL);
    this.#invalidate();
  }

  /** Coasts and borders below the points; none for points that are no places. */
  setOutlines(outlines: Outlines): void {
    this.#outlines = outlines;
    this.#invalidate();
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.#palette = paletteOf(theme);
    this.#invalidate();
  }

  /** Draws one cluster in colour; `NO_LABEL` for all. */
  select(cluster: number): void {
    this.#selected = cluster;
    this.#invalidate();
  }

  /** Fits all points into the view. */
  reset(): void {
    this.#behavior.transform(this.#selection, zoomIdentity);
  }

  zoomBy(factor: number): void {
    this.#behavior.scaleBy(this.#selection, factor);
  }

  /** Moves the view by a share of its size. */
  panBy(x: number, y: number): void {
    const {k} = zoomTransform(this.#canvas);
    this.#behavior.translateBy(
      this.#selection,
      (x * this.#canvas.clientWidth) / k,
      (y * this.#canvas.clientHeight) / k,
    );
  }

  /** The point nearest to a place of the canvas in style pixels, or −1 if none is within reach. */
  nearest(x: number, y: number, reach = 12): number {
    const {scale, shift} = this.#map(1);
    const {coords} = this.#points;
    let [best, found] = [reach * reach, -1];
    for (let i = 0; i < coords.length / 2; i++) {
      const dx = coords[2 * i] * scale[0] + shift[0] - x;
      const dy = coords[2 * i + 1] * scale[1] + shift[1] - y;
      const d2 = dx * dx + dy * dy;
      if (d2 < best) [best, found] = [d2, i];
    }
    return found;
  }

  /** The shown picture on the background of the page. */
  async png(): Promise<Blob> {
    const {width, height} = this.#canvas;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('this browser draws no picture');
    context.fillStyle = PAGE[this.#theme].background;
    context.fillRect(0, 0, width, height);
    context.drawImage(this.#canvas, 0, 0);
    return canvas.convertToBlob();
  }

  /** The shown picture with a title: few points as circles, many as an image. */
  async svg(title: string): Promise<Blob> {
    const {clientWidth: width, clientHeight: height} = this.#canvas;
    const {coords, box} = this.#points;
    const {k} = zoomTransform(this.#canvas);
    const svg = svgPicture({
      ...PAGE[this.#theme],
      ...mapOf(box, zoomTransform(this.#canvas), width, height, 1),
      width,
      height,
      title,
      coords,
      labels: this.#labels,
      image: this.#canvas.toDataURL(),
      isMap: this.#outlines.length > 0,
      radius: Math.max(1, radiusFor(coords.length / 2, k)),
      colourOf: (label) => colourText(this.#palette, entryOf(label, this.#selected)),
    });
    return new Blob([svg], {type: 'image/svg+xml'});
  }

  destroy(): void {
    this.#resizes.disconnect();
    clearTimeout(this.#partTimer);
    clearTimeout(this.#restTimer);
    this.#selection.on('.zoom', null);
  }

  #move(): void {
    this.#isMoving = true;
    clearTimeout(this.#restTimer);
    this.#restTimer = window.setTimeout(() => {
      this.#isMoving = false;
      this.#invalidate();
    }, REST_MS);
    this.#invalidate();
  }

  #map(density: number): ReturnType<typeof mapOf> {
    const {clientWidth, clientHeight} = this.#canvas;
    return mapOf(this.#points.box, zoomTransform(this.#canvas), clientWidth, clientHeight, density);
  }

  /** Cancels the rest of the current picture, and queues the next one. */
  #invalidate(): void {
    clearTimeout(this.#partTimer);
    if (this.#isQueued) return;
    this.#isQueued = true;
    requestAnimationFrame(() => {
      this.#isQueued = false;
      this.#draw();
    });
  }

  #draw(): void {
    const {clientWidth, clientHeight} = this.#canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    const step = this.#isMoving ? Math.max(1, Math.ceil(this.#fullMs / SMOOTH_MS)) : 1;
    const startedAt = performance.now();
    const picture = this.#picture(clientWidth, clientHeight, step);
    this.#raster.begin({coords: this.#points.coords, labels: this.#labels}, this.#palette, picture);
    this.#drawPart(picture, startedAt, 0);
  }

  /** Adds points for a while, at once all of a view that moves. @param before  milliseconds of the parts before */
  #drawPart(picture: Picture, startedAt: number, before: number): void {
    while (this.#raster.add(PART_POINTS)) {
      const ms = performance.now() - startedAt;
      if (this.#isMoving || ms < PART_MS) continue;
      this.#partTimer = window.setTimeout(() => this.#drawPart(picture, performance.now(), before + ms), 0);
      return;
    }
    this.#show(picture);
    const ms = before + performance.now() - startedAt;
    if (picture.step === 1 || ms > SMOOTH_MS) this.#fullMs = ms * picture.step;
    const {scale, shift} = this.#map(1);
    this.#onDrawn({ms, scale: scale[0], shift});
  }

  #show(picture: Picture): void {
    const {width, height} = picture;
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    this.#context?.putImageData(new ImageData(this.#raster.finish(), width, height), 0, 0);
    const style = {color: OUTLINE[this.#theme], lineWidth: width / this.#canvas.clientWidth};
    if (this.#context) drawOutlines(this.#context, this.#outlines, picture, style);
  }

  #picture(styleWidth: number, styleHeight: number, step: number): Picture {
    const density = Math.min(devicePixelRatio, Math.sqrt(PIXELS_MAX / (styleWidth * styleHeight)));
    const width = Math.max(1, Math.round(styleWidth * density));
    const height = Math.max(1, Math.round(styleHeight * density));
    const n = this.#points.coords.length / 2;
    const {k} = zoomTransform(this.#canvas);
    return {
      ...this.#map(density),
      width,
      height,
      radius: density * radiusFor(n, k),
      opacity: opacityFor(n, k),
      step,
      selected: this.#selected,
    };
  }
}
