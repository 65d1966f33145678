import {createProgram, main as runProgram} from '@epsball/cli/command';
import {addBenchCommand} from './commands/bench.ts';
import {listSuites} from './commands/listSuites.ts';
import {addCompareCommand} from './commands/compare.ts';
import {addReportCommand} from './commands/report.ts';
import {addScaleOutCommand} from './commands/scaleOut.ts';
import {addTimeHdbscanCommand} from './commands/timeHdbscan.ts';

/** The commands of `@epsball/cli`, and `bench`, `compare`, `report`, `scale-out`, `time-hdbscan` and `list suites`. */
export function createCheckoutProgram(): ReturnType<typeof createProgram> {
  return createProgram({
    commands: [addBenchCommand, addCompareCommand, addReportCommand, addScaleOutCommand, addTimeHdbscanCommand],
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
