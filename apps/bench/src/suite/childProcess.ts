import {spawn} from 'node:child_process';
import {cellReplySchema, type CellJob, type CellReply} from './job.ts';

/** Characters of a crashed child's last words that an error carries. */
const STDERR_TAIL = 400;

export interface ChildOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs one job in a Node process of its own and waits for its answer. Every way to fail but an abort is an answer.
 *
 * @throws the signal's reason  if `signal` fires; the child is killed first
 */
export async function runInChild(job: CellJob, options: ChildOptions): Promise<CellReply> {
  const {timeoutMs, signal} = options;
  signal?.throwIfAborted();
  const isSource = import.meta.url.endsWith('.ts');
  const script = new URL(isSource ? './cellProcess.ts' : './cellProcess.js', import.meta.url);
  // A checkout runs from source. `--expose-gc` lets the child start each run with an empty heap.
  const execArgv = ['--expose-gc', ...(isSource ? ['--conditions=@epsball/source'] : [])];
  const child = spawn(process.execPath, [...execArgv, script.pathname, JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-STDERR_TAIL)));

  let timedOut = false;
  // SIGKILL: a child stuck inside a driver call never sees a milder signal.
  const kill = (): void => void child.kill('SIGKILL');
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, timeoutMs);
  signal?.addEventListener('abort', kill, {once: true});
  try {
    const ending = await new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, killedBy) => resolve(killedBy ?? `exit code ${code}`));
    });
    signal?.throwIfAborted();
    if (timedOut) return {status: 'stopped', seconds: Math.round(timeoutMs / 1000)};
    return parseReply(stdout) ?? {status: 'failed', error: `child process ended with ${ending}: ${lastLine(stderr)}`};
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
}

/** The answer in the last line, or null where there is none. */
function parseReply(stdout: string): CellReply | null {
  try {
    return cellReplySchema.parse(JSON.parse(lastLine(stdout)));
  } catch {
    return null;
  }
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
