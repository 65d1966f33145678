import {InvalidParameterError} from '@epsball/clustering';
import {DatasetFormatError, readWholeFile, withOpenFile} from '@epsball/datasets';

const PASSWORD = 'EPSBALL_REDIS_PASSWORD';
const PASSWORD_FILE = 'EPSBALL_REDIS_PASSWORD_FILE';

const BYTES_MAX = 4096;

/** The environment without the password of Redis, for child processes, which do not connect to it. */
export function withoutPassword(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const {[PASSWORD]: _, [PASSWORD_FILE]: __, ...rest} = environment;
  return rest;
}

/**
 * The password of Redis that the environment has, or undefined: other users of a machine see those of a command line.
 */
export async function redisPassword(): Promise<string | undefined> {
  const {[PASSWORD]: password = '', [PASSWORD_FILE]: path = ''} = process.env;
  if (path === '') return password === '' ? undefined : password;
  if (password !== '') throw new InvalidParameterError(PASSWORD_FILE, path, `no file, as ${PASSWORD} is set`);
  return withOpenFile(
    path,
    async (file) => {
      if (file.size > BYTES_MAX) {
        throw new DatasetFormatError(path, `has ${file.size} bytes; expected a password of at most ${BYTES_MAX}`);
      }
      const text = new TextDecoder().decode(await readWholeFile(file, BYTES_MAX)).replace(/\r?\n$/, '');
      if (text === '') throw new DatasetFormatError(path, 'has no password');
      if (/[\r\n]/.test(text)) throw new DatasetFormatError(path, 'has several lines; expected one, the password');
      return text;
    },
    'a file with the password of Redis',
  );
}
