/** The cell ran and gave no usable time. */
export type Failed<Key> = Key & {readonly status: 'failed'; readonly error: string};

/** The profile's own rule, or a limit of the adapter, kept the cell from running. */
export type LeftOut<Key> = Key & {readonly status: 'leftOut'; readonly reason: string};
