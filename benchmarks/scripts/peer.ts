import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';

/** Another program that has read the points and clusters them when it is asked to. */
export interface Peer extends Disposable {
  readonly version: string;
  /** Clusters once; wall milliseconds. */
  fit(): Promise<number>;
}

/**
 * Starts a peer. It prints {"version"} when it is ready. Then, for each line on its standard input, it clusters once
 * and prints {"ms"}.
 */
export async function startPeer(command: string, args: readonly string[]): Promise<Peer> {
  const child = spawn(command, args, {stdio: ['pipe', 'pipe', 'inherit']});
  const replies = createInterface({input: child.stdout})[Symbol.asyncIterator]();
  const {version = 'unknown'} = await nextReply(command, replies);
  return {
    version,
    fit: async () => {
      child.stdin.write('\n');
      const {ms} = await nextReply(command, replies);
      if (ms === undefined) throw new Error(`${command} gave no time`);
      return ms;
    },
    [Symbol.dispose]: () => void child.stdin.end(),
  };
}

async function nextReply(
  command: string,
  replies: AsyncIterator<string, unknown>,
): Promise<{version?: string; ms?: number}> {
  const {done, value} = await replies.next();
  if (done === true) throw new Error(`${command} ended early`);
  const reply: unknown = JSON.parse(value);
  if (typeof reply !== 'object' || reply === null) throw new Error(`unexpected reply: ${value}`);
  return reply;
}
