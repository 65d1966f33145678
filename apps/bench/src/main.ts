import {createProgram, main as runProgram} from '@epsball/cli/command';
import {addBenchCommand} from './commands/bench.ts';
import {listSuites} from './commands/listSuites.ts';
import {addCompareCommand} from './commands/compare.ts';
import {addHdbscanCommand} from './commands/hdbscan.ts';
import {addReportCommand} from './commands/report.ts';
import {addScaleOutCommand} from './commands/scaleOut.ts';

/**
 * Runs one command line: the commands of `@epsball/cli`, and beside them `bench`, `compare`, `hdbscan`, `report`,
 * `scale-out` and `list suites`.
 *
 * @param args  without the interpreter and the script
 */
export async function main(args: readonly string[]): Promise<void> {
  await runProgram(
    args,
    createProgram({
      commands: [addBenchCommand, addCompareCommand, addHdbscanCommand, addReportCommand, addScaleOutCommand],
      lists: {suites: listSuites},
    }),
  );
}
