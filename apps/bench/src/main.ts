import {createProgram, main as runProgram} from '@epsball/cli/command';
import {addBenchCommand} from './commands/bench.ts';
import {listSuites} from './commands/listSuites.ts';
import {addCompareCommand} from './commands/compare.ts';
import {addHdbscanCommand} from './commands/hdbscan.ts';
import {addReportCommand} from './commands/report.ts';
import {addScaleOutCommand} from './commands/scaleOut.ts';

/** The commands of `@epsball/cli`, and `bench`, `compare`, `hdbscan`, `report`, `scale-out` and `list suites`. */
export function createCheckoutProgram(): ReturnType<typeof createProgram> {
  return createProgram({
    commands: [addBenchCommand, addCompareCommand, addHdbscanCommand, addReportCommand, addScaleOutCommand],
    lists: {suites: listSuites},
  });
}

/**
 * Runs one command line.
 *
 * @param args  without the interpreter and the script
 */
export async function main(args: readonly string[]): Promise<void> {
  await runProgram(args, createCheckoutProgram());
}
