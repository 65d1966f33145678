/** Variable of the environment through which a worker tells its children how to cluster tiles. */
export const TILE_VARIABLE = 'EPSBALL_WORKER_TILE';
