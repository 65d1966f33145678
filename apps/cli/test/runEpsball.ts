import {spawn, type ChildProcess} from 'node:child_process';
import {fileURLToPath} from 'node:url';

/** The script behind the command. */
export const BIN: string = fileURLToPath(new URL('../bin/epsball.mjs', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** The script to run. Default: that of this package. */
  readonly script?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the command takes its stderr for a terminal. Default: false. */
  readonly isTerminal?: boolean;
  /** End of the name of a file that a slow disk opens a second late. Default: none. */
  readonly slowFile?: string;
  /** What standard input holds; without it, standard input is empty. `open` leaves the pipe open. */
  readonly input?: {readonly text: string; readonly open?: boolean};
  /** Called once, with the child, when it has started. */
  readonly whenStarted?: (child: ChildProcess) => void;
}

/** Source that the command loads first. */
function preload({isTerminal = false, slowFile}: RunOptions): string {
  const terminal = isTerminal ? 'process.stderr.isTTY = true;' : '';
  if (slowFile === undefined) return terminal;
  return `${terminal}
    import {syncBuiltinESMExports} from 'node:module';
    import files from 'node:fs/promises';
    const {stat} = files;
    files.stat = async (path, ...more) => {
      if (String(path).endsWith(${JSON.stringify(slowFile)})) await new Promise((resolve) => setTimeout(resolve, 1000));
      return stat(path, ...more);
    };
    syncBuiltinESMExports();`;
}

/** Runs the real command in a process of its own, without a terminal. */
export function runEpsball(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const {script = BIN, cwd, env, input, whenStarted} = options;
  const source = preload(options);
  const preloaded = source === '' ? {} : {NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}`};
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd,
      env: {...process.env, ...preloaded, ...env},
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // The command may end without reading all of it.
    child.stdin.on('error', () => {});
    child.stdin.write(input?.text ?? '');
    if (input?.open !== true) child.stdin.end();
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('spawn', () => whenStarted?.(child));
    child.on('close', (code) => resolve({code, stdout, stderr}));
  });
}

/** Sends a process one signal when a condition holds; a second signal would end it at once. */
export function signalWhen(child: ChildProcess, signal: NodeJS.Signals, isTime: () => boolean): void {
  const timer = setInterval(() => {
    if (!isTime()) return;
    clearInterval(timer);
    child.kill(signal);
  }, 20);
  child.on('exit', () => clearInterval(timer));
}
