import {checkKnownOptions} from '@epsball/clustering';
import {escapeControls} from '@epsball/datasets';
import {Redis} from 'ioredis';
import {checkFunction, checkSignal} from '../checks.ts';
import {ScaleOutError} from '../run.ts';
import {redactUrl, redisOptions} from './connection.ts';
import {redisPassword} from './redisPassword.ts';

/** Answers that no further attempt changes: of Redis to a login, and of TLS to a certificate or to a plain server. */
const REFUSALS =
  /\b(?:WRONGPASS|NOAUTH|NOPERM)\b|ERR AUTH|invalid password|certificate|altnames|wrong version number|packet length too long/i;

/** How to wait for a Redis that cannot be reached. */
export interface RedisWait {
  readonly signal?: AbortSignal | undefined;
  /** Receives a line when Redis is lost, and when it is back, without control characters. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** Checks the parameters that all functions share, before anything is opened; `options` are names of further ones. */
export function checkRedis(url: string, wait: RedisWait, options: readonly string[] = []): void {
  redisOptions(url);
  checkKnownOptions(wait, ['signal', 'onLine', ...options], 'options', '{signal, onLine}');
  checkSignal(wait.signal);
  checkFunction('onLine', wait.onLine);
}

/**
 * Connects to Redis, and waits while it cannot be reached, now and later.
 *
 * @param url      `redis://…` or `rediss://…`; without a password, it is that of the environment, if there is one
 * @param options  `signal` ends the wait for the first connection
 * @returns        connected; owned by the caller
 */
export async function openRedis(url: string, {signal, onLine}: RedisWait = {}): Promise<Redis> {
  signal?.throwIfAborted();
  const options = redisOptions(url);
  const password = options.password ?? (await redisPassword());
  signal?.throwIfAborted();
  const connection = new Redis({...options, ...(password === undefined ? {} : {password})});
  reportLosses(connection, redactUrl(url), onLine);
  const waiting = new AbortController();
  try {
    await new Promise<void>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), {signal: waiting.signal});
      connection.once('ready', resolve);
      connection.on('error', (error) => {
        if (!REFUSALS.test(error.message)) return;
        reject(new ScaleOutError('REDIS_REFUSED', `${redactUrl(url)}: ${error.message}`, {cause: error}));
      });
    });
  } catch (error) {
    connection.disconnect();
    throw error;
  } finally {
    waiting.abort();
  }
  return connection;
}

/** Says once that Redis cannot be reached, and why, and once that it can be again. */
function reportLosses(connection: Redis, place: string, onLine: (line: string) => void = () => undefined): void {
  let said: string | undefined;
  // Each failed attempt is an event; without a listener it would end the process.
  connection.on('error', (error: Error) => {
    const why = messageOf(error);
    if (why === said || REFUSALS.test(why)) return;
    said = why;
    onLine(escapeControls(`${place} cannot be reached: ${why}; trying again`));
  });
  connection.on('ready', () => {
    if (said !== undefined) onLine(`${place}: connected`);
    said = undefined;
  });
}

/** A host with several addresses fails with one error for each, under an error without a message. */
function messageOf(error: Error): string {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return error.message || errors.map((one) => (one instanceof Error ? one.message : String(one))).join(', ');
}
