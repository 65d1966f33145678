/** The colour of each variant, the same in every chart and table of a report. The page defines both themes' steps. */
const HUES: Readonly<Record<string, string>> = {
  // The baseline of most speed-ups is neutral.
  sequential: 'var(--ink-2)',
  'grid-bfs': 'var(--hue-1)',
  'dense-grid': 'var(--hue-2)',
  pds: 'var(--hue-3)',
  gdbscan: 'var(--hue-4)',
  hybrid: 'var(--hue-5)',
  dclust: 'var(--hue-6)',
  hdbscan: 'var(--hue-8)',
};

/** The colour of a variant. Variants without a colour of their own share one. */
export function variantHue(row: string): string {
  return HUES[row] ?? 'var(--hue-7)';
}
