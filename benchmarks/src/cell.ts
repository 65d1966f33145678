/** The cell ran and has no valid time. */
export type Failed<Key> = Key & {readonly status: 'failed'; readonly error: string};

/** A rule of the profile, or a limit of the adapter, excluded the cell. */
export type LeftOut<Key> = Key & {readonly status: 'leftOut'; readonly reason: string};
