import type {ResultFile} from '@epsball/benchmarks';
import {machineName} from './front/machines.ts';
import type {Report} from './model.ts';
import type {Run} from './run.ts';

/** One line of the machine box. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** The machines of a report, one box each; side by side one box a letter. */
export function machineBoxes(report: Report): {readonly title: string; readonly facts: readonly Fact[]}[] {
  const groups = Map.groupBy(report.runs, ({letter, result}) => (report.compare ? letter : machineName(result)));
  return [...groups.values()].map((runs) => ({
    title: report.compare ? `${runs[0].letter}: ${titleOf(runs[0])}` : titleOf(runs[0]),
    facts: [...factsOf(runs[0]), ...commitFacts(runs)],
  }));
}

/** Each commit with the suites that it ran. */
function commitFacts(runs: readonly Run[]): Fact[] {
  const byCommit = Map.groupBy(runs, ({result: {commit}}) => commit.hash.slice(0, 12) + (commit.dirty ? '*' : ''));
  const facts = [...byCommit].map(([hash, alike]) => ({
    name: `Commit ${hash.replace('*', '')}`,
    value: `${hash.endsWith('*') ? 'with local changes; ' : ''}${alike.map(({result}) => `${result.suite} (${result.profile})`).join(', ')}`,
  }));
  const days = runs.map(({result}) => result.startedAt.slice(0, 10)).toSorted();
  const span = [...new Set([days[0], days.at(-1)])].join(' to ');
  return [{name: 'Measured', value: span}, ...facts];
}

/** The GPU, or the processor where there is none. */
function titleOf({result: {adapter, machine}}: Run): string {
  return adapter === null ? machine.cpu : adapter.name;
}

/** The commands that make these results again, each once. */
export function commandsOf(report: Report): string[] {
  return [...new Set(report.runs.map(({result}) => pastCommand(result)))];
}

function pastCommand({suite, profile}: ResultFile): string {
  return `epsball bench ${suite} --profile ${profile}`;
}

function factsOf({result}: Run): Fact[] {
  const {machine, adapter, adapterError} = result;
  const facts = [
    {name: 'Processor', value: `${machine.cpu}, ${machine.threads} threads`},
    {name: 'Memory', value: `${Math.round(machine.memoryBytes / 2 ** 30)} GiB`},
    {name: 'System', value: `${machine.os} (${machine.arch}), Node ${machine.node}`},
  ];
  if (adapter === null) facts.push({name: 'GPU', value: `none: ${adapterError ?? 'not looked for'}`});
  else {
    facts.push({name: 'GPU', value: `${adapter.name} (${adapter.kind})`});
    facts.push({name: 'Driver', value: adapter.description || 'not named'});
    facts.push({name: 'Subgroups', value: `${adapter.subgroupMinSize} to ${adapter.subgroupMaxSize} lanes`});
  }
  return facts;
}
