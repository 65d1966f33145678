import type {Machine} from '@epsball/benchmarks';
import {GpuUnavailableError} from '@epsball/clustering';
import {forcedAdapter} from '@epsball/cli/command';
import type {AdapterChoice} from '@epsball/gpu';
import {runInChild} from './childProcess.ts';
import {describeCommit, describeLoad, describeMachine} from './machine.ts';
import type {RunSuiteOptions} from './runSuite.ts';

/** Enough for a driver to load; a probe that takes longer is stuck. */
const PROBE_TIMEOUT_MS = 60_000;

type Found = RunSuiteOptions['found'];
type Asked = Pick<RunSuiteOptions, 'adapter' | 'signal'> & {readonly log: (line: string) => void};

/** What all results of a run share. */
export interface RunFacts {
  readonly machine: Machine;
  readonly commit: {readonly hash: string; readonly dirty: boolean};
  readonly found: Found;
}

/** Machine, commit and adapter of a run, which it logs. */
export async function describeRun({adapter, signal, log}: Asked): Promise<RunFacts> {
  const forced = forcedAdapter(adapter);
  const machine = describeMachine();
  const commit = await describeCommit();
  const found = await probeAdapter(adapter, signal);
  if (forced !== null && found.adapter === null) {
    throw new GpuUnavailableError(`${forced.by} = ${forced.choice}: ${found.adapterError}`);
  }
  const load = describeLoad();
  log(`${machine.cpu}, ${machine.threads} threads, Node ${machine.node}${load === null ? '' : `, load ${load}`}`);
  log(found.adapter === null ? `no GPU: ${found.adapterError}` : `GPU: ${found.adapter.name} (${found.adapter.kind})`);
  return {machine, commit, found};
}

/** Probes in a child process: an open device in this one would cost a busy core on some drivers. */
async function probeAdapter(adapter: AdapterChoice, signal: AbortSignal | undefined): Promise<Found> {
  const reply = await runInChild({kind: 'probe', adapter}, {timeoutMs: PROBE_TIMEOUT_MS, signal});
  if (reply.status === 'probed') return {adapter: reply.adapter, adapterError: null};
  return {adapter: null, adapterError: reply.status === 'failed' ? reply.error : 'the adapter did not answer'};
}
