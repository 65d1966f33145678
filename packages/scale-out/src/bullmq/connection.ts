import {InvalidParameterError} from '@epsball/clustering';
import type {RedisOptions} from 'ioredis';
import type {Task} from '../run.ts';

/** Queue of runs: one job a run, which adds the tasks of one stage after another. */
export const RUNS = 'epsball-runs';
export const TASKS = 'epsball-tasks';
/** Variable of the environment through which a worker tells its children how to cluster tiles. */
export const TILE_VARIABLE = 'EPSBALL_WORKER_TILE';

/** What the job of a run holds. No credentials: workers take those of the store from their environment. */
export interface RunJob {
  readonly work: string;
  readonly name: string;
  /** Set by a cancel. */
  readonly isCancelled?: boolean;
}

export interface TaskJob extends RunJob {
  readonly task: Task;
}

/** What `epsball scale runs` shows of a run. */
export interface RunProgress {
  readonly stage: string;
  /** Tasks of the stage, and those done before its jobs were added. */
  readonly total: number;
  readonly doneBefore: number;
  /** Tasks that this job had done then, those of earlier stages included. */
  readonly processedBefore: number;
}

type RedisConnection = Pick<
  RedisOptions,
  'host' | 'port' | 'username' | 'password' | 'db' | 'tls' | 'maxRetriesPerRequest' | 'disconnectTimeout'
>;

/** Parses `redis://[user:password@]host[:port][/db]`, or `rediss://` for TLS. */
export function redisOptions(url: string): RedisConnection {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !isRedis(parsed)) {
    throw new InvalidParameterError(
      'redis',
      typeof url === 'string' ? redactUrl(url) : url,
      'redis://host:port or rediss://host:port, with a password percent-encoded',
    );
  }
  const db = parsed.pathname.slice(1);
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? 6379 : Number(parsed.port),
    ...(parsed.username === '' ? {} : {username: decodeURIComponent(parsed.username)}),
    ...(parsed.password === '' ? {} : {password: decodeURIComponent(parsed.password)}),
    ...(db === '' ? {} : {db: Number(db)}),
    ...(parsed.protocol === 'rediss:' ? {tls: {}} : {}),
    // A worker waits for a Redis that restarts.
    maxRetriesPerRequest: null,
    // After a failed attempt, a disconnect waits so long for a socket that is gone, and so does the end of the process.
    disconnectTimeout: 200,
  };
}

/** A `/`, `?` or `#` in a password ends the host early: then part of the password is in what follows. */
function isRedis({protocol, hostname, pathname, search, hash}: URL): boolean {
  return /^rediss?:$/.test(protocol) && hostname !== '' && /^\/?\d*$/.test(pathname) && !(search + hash).includes('@');
}

/**
 * The URL without user and password, for messages and logs. A password may contain `@`: the last one ends it.
 *
 * @throws InvalidParameterError  if it is not a text
 */
export function redactUrl(url: string): string {
  if (typeof url !== 'string') throw new InvalidParameterError('url', url, 'a URL');
  return url.replace(/^([a-z]*:\/\/)?.*@/is, '$1');
}
