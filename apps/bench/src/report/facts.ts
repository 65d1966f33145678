import type {ResultFile} from '@epsball/benchmarks';
import type {Report} from './model.ts';
import type {Run} from './run.ts';

/** One line of the machine box. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** The machines of a report, one box a letter. */
export function machineBoxes(report: Report): {readonly title: string; readonly facts: readonly Fact[]}[] {
  const byLetter = Map.groupBy(report.runs, ({letter}) => letter);
  return [...byLetter].map(([letter, runs]) => ({
    title: report.compare ? `${letter}: ${runs[0].result.machine.cpu}` : runs[0].result.machine.cpu,
    facts: [
      ...factsOf(runs[0]),
      {name: 'Suites', value: runs.map(({result}) => `${result.suite} (${result.profile})`).join(', ')},
    ],
  }));
}

/** The commands that make these results again, each once. */
export function commandsOf(report: Report): string[] {
  return [...new Set(report.runs.map(({result}) => pastCommand(result)))];
}

function pastCommand({suite, profile}: ResultFile): string {
  return `epsball bench ${suite} --profile ${profile}`;
}

function factsOf({result}: Run): Fact[] {
  const {machine, adapter, adapterError, commit} = result;
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
  facts.push({name: 'Commit', value: `${commit.hash.slice(0, 12)}${commit.dirty ? ' with local changes' : ''}`});
  facts.push({name: 'Started', value: result.startedAt.slice(0, 16).replace('T', ' ') + ' UTC'});
  return facts;
}
