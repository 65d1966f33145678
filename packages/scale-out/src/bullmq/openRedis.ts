import {Redis} from 'ioredis';
import {ScaleOutError} from '../run.ts';
import {redactUrl, redisOptions} from './connection.ts';

/** Answers that no further attempt changes: of Redis to a login, and of TLS to a certificate or to a plain server. */
const REFUSALS =
  /\b(?:WRONGPASS|NOAUTH|NOPERM)\b|ERR AUTH|invalid password|certificate|altnames|wrong version number|packet length too long/i;

/**
 * Connects to Redis, and waits while it cannot be reached, now and later.
 *
 * @param url      `redis://…` or `rediss://…`
 * @param onError  receives the error of each attempt
 * @returns        connected; owned by the caller
 * @throws ScaleOutError  if the server refuses the login, or its certificate is not trusted; without the password
 */
export async function openRedis(url: string, onError: (error: Error) => void = () => undefined): Promise<Redis> {
  const connection = new Redis(redisOptions(url));
  // Each failed attempt is an event; without a listener it would end the process.
  connection.on('error', onError);
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('ready', resolve);
      connection.on('error', (error) => {
        if (!REFUSALS.test(error.message)) return;
        reject(new ScaleOutError('REDIS_REFUSED', `${redactUrl(url)}: ${error.message}`, {cause: error}));
      });
    });
  } catch (error) {
    connection.disconnect();
    throw error;
  }
  return connection;
}
