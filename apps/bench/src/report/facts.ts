import {pastCommand} from './format.ts';
import type {Report, Run} from './model.ts';

/** One line of the machine box. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** The machines of a report: runs that share machine, adapter and commit share a box. */
export function machineBoxes(report: Report): {readonly title: string; readonly facts: readonly Fact[]}[] {
  const boxes = new Map<string, {title: string; facts: Fact[]; suites: string[]}>();
  for (const run of report.runs) {
    const facts = factsOf(run);
    const key = JSON.stringify(facts.filter(({name}) => name !== 'Started'));
    const box = boxes.get(key) ?? {title: run.label, facts, suites: []};
    box.suites.push(`${run.result.suite} (${run.result.profile})`);
    boxes.set(key, box);
  }
  return [...boxes.values()].map(({title, facts, suites}) => ({
    title,
    facts: [...facts, {name: 'Suites', value: suites.join(', ')}],
  }));
}

/** The commands that make these results again, each once. */
export function commandsOf(report: Report): string[] {
  return [...new Set(report.runs.map(({result}) => pastCommand(result.suite, result.profile)))];
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
