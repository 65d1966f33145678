import {runEpsball as run, type Ended, type RunOptions} from '@epsball/cli/testing';
import {fileURLToPath} from 'node:url';

const SCRIPT = fileURLToPath(new URL('../bin/epsball.mjs', import.meta.url));

/** Runs the command with this package's commands, in a process of its own. */
export function runEpsball(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return run(args, {...options, script: SCRIPT});
}
