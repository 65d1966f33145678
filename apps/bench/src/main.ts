import {createProgram, formatTable, main as runProgram} from '@epsball/cli/command';
import {addBenchCommand} from './commands/bench.ts';
import {addCompareCommand} from './commands/compare.ts';
import {addReportCommand} from './commands/report.ts';
import {addScaleOutCommand} from './commands/scaleOut.ts';

/** The commands of `@epsball/cli`, and `bench`, `compare`, `report`, `scale-out` and `list suites`. */
export function createCheckoutProgram(): ReturnType<typeof createProgram> {
  return createProgram({
    commands: [addBenchCommand, addCompareCommand, addReportCommand, addScaleOutCommand],
    lists: {suites: listSuites},
  });
}

/** The suites as a table; an asterisk marks those that `bench` runs without names. */
async function listSuites(): Promise<string> {
  const {suites} = await import('@epsball/benchmarks');
  const rows = suites.map(({id, isUsual, title, source}) => [`${id}${isUsual === true ? ' *' : ''}`, title, source]);
  return formatTable([['ID', 'TITLE', 'SOURCE'], ...rows]);
}

/**
 * Runs one command line.
 *
 * @param args  without the interpreter and the script
 */
export async function main(args: readonly string[]): Promise<void> {
  await runProgram(args, createCheckoutProgram());
}
