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
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the command takes its stderr for a terminal. Default: false. */
  readonly isTerminal?: boolean;
  /** Called once, with the child, when it has started. */
  readonly whenStarted?: (child: ChildProcess) => void;
}

/** Loaded before the command. */
const TERMINAL = {NODE_OPTIONS: '--import=data:text/javascript,process.stderr.isTTY=true'};

/** Runs the real command in a process of its own, without a terminal. */
export function runEpsball(
  args: readonly string[],
  {cwd, env, isTerminal = false, whenStarted}: RunOptions = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd,
      env: {...process.env, ...(isTerminal ? TERMINAL : {}), ...env},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('spawn', () => whenStarted?.(child));
    child.on('close', (code) => resolve({code, stdout, stderr}));
  });
}
