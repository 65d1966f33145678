/** The value of `--algorithm` that clusters by HDBSCAN*. */
export const HDBSCAN_ID = 'hdbscan';
