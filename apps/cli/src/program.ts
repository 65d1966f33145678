import {Command} from 'commander';
import {addClusterCommand} from './commands/cluster.ts';
import {addCompletionCommand} from './commands/completion.ts';
import {addDoctorCommand} from './commands/doctor.ts';
import {addGenerateCommand} from './commands/generate.ts';
import {addGraphCommand} from './commands/graph.ts';
import {addHdbscanCommand} from './commands/hdbscan.ts';
import {addListCommand, type Lists} from './commands/list.ts';
import {addPredictCommand} from './commands/predict.ts';
import {addScaleCommand} from './commands/scale.ts';
import {addSegmentCommand} from './commands/segment.ts';
import {addSuggestCommand} from './commands/suggest.ts';
import {addValidityCommand} from './commands/validity.ts';
import {colorHelp} from './color.ts';
import {addExamples} from './examples.ts';
import {addWatchCommand} from './commands/watch.ts';
import {readManifest} from './installLine.ts';

/** Commands and lists of another package. */
export interface ProgramAddition {
  readonly commands: readonly ((program: Command) => void)[];
  readonly lists: Lists;
}

/**
 * The command line of `epsball`. Each command is a file in `commands/`, which loads libraries when it runs.
 *
 * @param addition  what another package adds. Default: nothing
 */
export function createProgram({commands, lists}: ProgramAddition = {commands: [], lists: {}}): Command {
  const program = new Command('epsball');
  program
    .description('Density-based clustering on GPU, worker threads and CPU; the same labels everywhere.')
    .version(readManifest().version)
    .helpCommand('help [COMMAND]', 'show the help of a command')
    .option('--color', 'colours, also where the output is no terminal')
    .option('--no-color', 'no colours, as NO_COLOR=1 in the environment')
    .showSuggestionAfterError()
    // Errors are thrown. main.ts prints them as one line.
    .exitOverride()
    .configureOutput({outputError: () => {}});
  program.commandsGroup('Clustering:');
  addClusterCommand(program);
  addHdbscanCommand(program);
  addGraphCommand(program);
  addScaleCommand(program);
  addPredictCommand(program);
  addSuggestCommand(program);
  addValidityCommand(program);
  addWatchCommand(program);
  program.commandsGroup('Commands:');
  addSegmentCommand(program);
  addGenerateCommand(program);
  addListCommand(program, lists);
  addDoctorCommand(program);
  addCompletionCommand(program);
  for (const add of commands) add(program);
  addExamples(program);
  colorHelp(program);
  return program;
}
