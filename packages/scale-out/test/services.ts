import {fork, spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {Redis} from 'ioredis';

/** Whether redis-server is installed. CI installs it: there, tests without it fail, and are not skipped. */
export const HAS_REDIS: boolean = process.env['CI'] === '1' || spawnSync('redis-server', ['--version']).status === 0;

/** A certificate for 127.0.0.1, signed by itself. */
export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Makes a certificate with openssl; undefined where that is not installed. */
export function makeCertificate(folder: string): Certificate | undefined {
  const [certificateFile, keyFile] = ['redis.crt', 'redis.key'].map((name) => join(folder, name));
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', keyFile, '-out', certificateFile];
  return spawnSync('openssl', [...kind, ...names]).status === 0 ? {certificateFile, keyFile} : undefined;
}

interface TestRedisOptions {
  readonly password?: string | undefined;
  /** Then the server speaks TLS only. */
  readonly certificate?: Certificate | undefined;
}

/** A redis-server of the test, on a free port, with its log in a folder. */
export class TestRedis {
  readonly #folder: string;
  readonly #port: number;
  readonly #password: string | undefined;
  readonly #certificate: Certificate | undefined;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, {password, certificate}: TestRedisOptions) {
    this.#folder = folder;
    this.#port = port;
    this.#password = password;
    this.#certificate = certificate;
  }

  static async start(folder: string, options: TestRedisOptions = {}): Promise<TestRedis> {
    const redis = new TestRedis(folder, await freePort(), options);
    await redis.restart();
    return redis;
  }

  get url(): string {
    const scheme = this.#certificate === undefined ? 'redis' : 'rediss';
    return `${scheme}://${this.#password === undefined ? '' : `:${encodeURIComponent(this.#password)}@`}127.0.0.1:${this.#port}`;
  }

  async restart(): Promise<void> {
    const log = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction', '--save', ''];
    const auth = this.#password === undefined ? [] : ['--requirepass', this.#password];
    const place = ['--dir', this.#folder, ...this.#portFlags(), '--bind', '127.0.0.1'];
    this.#process = spawn('redis-server', [...place, ...log, ...auth, '--aof-load-truncated', 'yes'], {
      stdio: 'ignore',
    });
    const client = new Redis(this.url, {maxRetriesPerRequest: null});
    client.on('error', () => undefined);
    await client.ping();
    client.disconnect();
  }

  #portFlags(): string[] {
    if (this.#certificate === undefined) return ['--port', String(this.#port)];
    const {certificateFile, keyFile} = this.#certificate;
    const files = ['--tls-cert-file', certificateFile, '--tls-key-file', keyFile, '--tls-auth-clients', 'no'];
    return ['--port', '0', '--tls-port', String(this.#port), ...files];
  }

  /** Kills the server, and cuts its log by some bytes, as a power failure does. */
  async killAndCut(bytes: number): Promise<void> {
    await kill(this.#process);
    const folder = join(this.#folder, 'appendonlydir');
    const name = readdirSync(folder).find((file) => file.includes('.incr.')) ?? '';
    const file = join(folder, name);
    truncateSync(file, Math.max(0, statSync(file).size - bytes));
  }

  /** All keys and values of the server's log, as text. */
  log(): string {
    const folder = join(this.#folder, 'appendonlydir');
    return readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'latin1'))
      .join('');
  }

  async stop(): Promise<void> {
    await kill(this.#process);
    rmSync(this.#folder, {recursive: true, force: true});
  }
}

/** A worker process of the test. */
export class TestWorker {
  readonly process: ChildProcess;
  /** Of stdout and stderr. */
  readonly lines: string[] = [];

  /** @param authority  a file of certificates that the worker trusts */
  constructor(redis: string, lockMs: number, authority?: string) {
    this.process = fork(join(import.meta.dirname, 'workerProcess.ts'), [redis, String(lockMs)], {
      execArgv: ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {...process.env, ...(authority === undefined ? {} : {NODE_EXTRA_CA_CERTS: authority})},
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (data: Buffer) => this.lines.push(...data.toString().trim().split('\n')));
    }
  }

  /** Process ids of its children. */
  children(): number[] {
    return childrenOf(this.process.pid ?? 0);
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await kill(this.process, signal);
  }
}

/** Process ids of the children of a process. Linux only. */
export function childrenOf(pid: number): number[] {
  const threads = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  return threads.flatMap((thread) => {
    const path = `/proc/${pid}/task/${thread}/children`;
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
  });
}

export function isAlive(pid: number): boolean {
  try {
    // A zombie has no command line.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, ms = 1_800_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
    await sleep(20);
  }
}

async function kill(child: ChildProcess | undefined, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
