/** Starts the command of an app: from source in a checkout of the repository, elsewhere from `dist/`. */
export function start(script: string): Promise<void>;
