/** Numbers of palette entries before the sets: without a label, noise, aside. */
export const SETS_FROM = 3;

/** Label of a point that has none yet; as `Picture.selected`: no cluster is selected. */
export const NO_LABEL = -2;

/** Label of a point that is drawn pale, below those that are singled out. */
export const ASIDE = -3;

export interface Picture {
  /** pixel = coords · scale + shift, on each axis; y points down. */
  readonly scale: readonly [number, number];
  readonly shift: readonly [number, number];
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Of a point, in pixels. */
  readonly radius: number;
  /** Share of the background that one point hides. */
  readonly opacity: number;
  /** Every step-th point is drawn, step times as strong. */
  readonly step: number;
  /** The cluster that is drawn in colour, or `NO_LABEL`: all are. */
  readonly selected: number;
}

export interface DrawnPoints {
  /** 2n coordinates. */
  readonly coords: Float32Array;
  /** n labels, `NO_LABEL` before the first result, or `ASIDE`. */
  readonly labels: Int32Array;
}
