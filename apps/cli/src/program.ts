import {readFileSync} from 'node:fs';
import {Command} from 'commander';
import {addClusterCommand} from './commands/cluster.ts';
import {addSuggestCommand} from './commands/suggest.ts';
import {addDoctorCommand} from './commands/doctor.ts';
import {addGenerateCommand} from './commands/generate.ts';
import {addListCommand, type Lists} from './commands/list.ts';
import {addPredictCommand} from './commands/predict.ts';
import {addRunsCommand} from './commands/runs.ts';
import {addSegmentCommand} from './commands/segment.ts';
import {addWorkerCommand} from './commands/worker.ts';

/** Commands and lists of another package. */
export interface ProgramAddition {
  readonly commands: readonly ((program: Command) => void)[];
  readonly lists: Lists;
}

/**
 * The command line of `epsball`. Each command is a file in `commands/`.
 *
 * @param addition  what another package adds. Default: nothing
 */
export function createProgram({commands, lists}: ProgramAddition = {commands: [], lists: {}}): Command {
  const program = new Command('epsball');
  program
    .description('Density-based clustering on GPU, worker threads and CPU; the same labels everywhere.')
    .version(packageVersion())
    .helpCommand('help [COMMAND]', 'show the help of a command')
    .showSuggestionAfterError()
    // Errors are thrown. main.ts prints them as one line.
    .exitOverride()
    .configureOutput({outputError: () => {}});
  addClusterCommand(program);
  addPredictCommand(program);
  addSuggestCommand(program);
  addSegmentCommand(program);
  addGenerateCommand(program);
  addListCommand(program, lists);
  addDoctorCommand(program);
  addWorkerCommand(program);
  addRunsCommand(program);
  for (const add of commands) add(program);
  return program;
}

function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const manifest: unknown = JSON.parse(text);
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'unknown';
}
