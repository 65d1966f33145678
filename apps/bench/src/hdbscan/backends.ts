/** Where HDBSCAN* is timed. */
export const BACKENDS = ['sequential', 'workers', 'gpu', 'R'] as const;
export type TimedBackend = (typeof BACKENDS)[number];
