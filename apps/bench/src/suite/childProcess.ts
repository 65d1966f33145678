import {spawn, type ChildProcessByStdio} from 'node:child_process';
import type {Readable} from 'node:stream';
import {privateFolder} from '@epsball/clustering/node';
import {cellReplySchema, type CellJob, type CellReply} from './job.ts';

/** Characters at the end of a crashed child's standard error that an error carries. */
const STDERR_TAIL = 400;

export interface ChildOptions {
  /** From the start to the first reply, and from each reply to the next. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a child process ended. */
export type Ending = Extract<CellReply, {readonly status: 'failed' | 'stopped'}>;

/**
 * Runs one job with one reply in its own Node process and waits for the reply. A failure is a reply; an abort is not.
 *
 * @throws the signal's reason  if `signal` fires; the child is killed first
 */
export async function runInChild(job: CellJob, options: ChildOptions): Promise<CellReply> {
  let last: CellReply | undefined;
  const ending = await listenToChild(job, options, (reply) => (last = reply));
  return ending.status === 'stopped' ? ending : (last ?? ending);
}

/**
 * Runs one job in its own Node process and calls `hear` with every reply as it arrives.
 *
 * @returns  how the child ended; callers need it if replies are missing
 * @throws the signal's reason  if `signal` fires; the child is killed first
 */
export async function listenToChild(
  job: CellJob,
  {timeoutMs, signal}: ChildOptions,
  hear: (reply: CellReply) => void,
): Promise<Ending> {
  const env = await childEnvironment();
  signal?.throwIfAborted();
  const child = start(job, env);
  let timedOut = false;
  // SIGKILL, because a child that is stuck in a driver call handles no other signal.
  const kill = (): void => void child.kill('SIGKILL');
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, timeoutMs);
  let line = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (line + text).split('\n');
    line = lines.pop() ?? '';
    for (const reply of lines.flatMap((one) => parseReply(one) ?? [])) {
      timer.refresh();
      hear(reply);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-STDERR_TAIL)));
  signal?.addEventListener('abort', kill, {once: true});
  try {
    const ending = await new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, killedBy) => resolve(killedBy ?? `exit code ${code}`));
    });
    signal?.throwIfAborted();
    if (timedOut) return {status: 'stopped', seconds: Math.round(timeoutMs / 1000)};
    return {status: 'failed', error: `child process ended with ${ending}: ${lastLine(stderr)}`};
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
}

function start(job: CellJob, env: NodeJS.ProcessEnv): ChildProcessByStdio<null, Readable, Readable> {
  const isSource = import.meta.url.endsWith('.ts');
  const script = new URL(isSource ? './cellProcess.ts' : './cellProcess.js', import.meta.url);
  // A checkout runs from source. `--expose-gc` lets the child start each run with an empty heap.
  const execArgv = ['--expose-gc', ...(isSource ? ['--conditions=@epsball/source'] : [])];
  return spawn(process.execPath, [...execArgv, script.pathname, JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
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

/** The reply in a line, or null if the line holds none. */
function parseReply(line: string): CellReply | null {
  try {
    return cellReplySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
