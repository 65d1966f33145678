/** A picture or chart as the page shows it. */
export interface Illustration {
  /** File name stem, unique within the report. */
  readonly name: string;
  readonly title: string;
  readonly caption: string;
  /** HTML: an `<svg>`, or an `<img>` with the picture inside. */
  readonly body: string;
}
