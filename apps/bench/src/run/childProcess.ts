import {spawn} from 'node:child_process';
import {privateFolder} from '@epsball/clustering/node';
import {replySchema, type Job, type Reply} from './job.ts';

/** Characters at the end of a crashed child's standard error that an error carries. */
const STDERR_TAIL = 400;

/**
 * Runs one job in its own Node process and waits for its reply. A failure is a reply; an abort is not.
 *
 * @throws the signal's reason  if `signal` fires; the child is killed first
 */
export async function runInChild(
  job: Job,
  {timeoutMs, signal}: {readonly timeoutMs: number; readonly signal?: AbortSignal | undefined},
): Promise<Reply> {
  const env = await childEnvironment();
  signal?.throwIfAborted();
  const isSource = import.meta.url.endsWith('.ts');
  const script = new URL(isSource ? './cellProcess.ts' : './cellProcess.js', import.meta.url).pathname;
  // A checkout runs from source. `--expose-gc` lets the child start each run with an empty heap.
  const flags = ['--expose-gc', ...(isSource ? ['--conditions=@epsball/source'] : [])];
  const child = spawn(process.execPath, [...flags, script, JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  let [timedOut, stdout, stderr] = [false, '', ''];
  // SIGKILL, because a child that is stuck in a driver call handles no other signal.
  const kill = (): void => void child.kill('SIGKILL');
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, timeoutMs);
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-STDERR_TAIL)));
  signal?.addEventListener('abort', kill, {once: true});
  try {
    const ending = await new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, killedBy) => resolve(killedBy ?? `exit code ${code}`));
    });
    signal?.throwIfAborted();
    if (timedOut) return {status: 'stopped', seconds: Math.round(timeoutMs / 1000)};
    const error = `child process ended with ${ending}: ${stderr.trimEnd().split('\n').at(-1) ?? ''}`;
    return stdout.split('\n').flatMap(parseReply).at(-1) ?? {status: 'failed', error};
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
}

/**
 * Compiled code is kept between the children, or each would spend half a second on it. Node runs what the cache holds:
 * its check sums do not tell who wrote an entry, so only a private folder will do.
 */
async function childEnvironment(): Promise<NodeJS.ProcessEnv> {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return process.env;
  const folder = await privateFolder('node-compile').catch(() => undefined);
  return folder === undefined ? process.env : {...process.env, NODE_COMPILE_CACHE: folder};
}

/** The reply in a line, if it holds one: drivers write there, too. */
function parseReply(line: string): Reply[] {
  try {
    return [replySchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
