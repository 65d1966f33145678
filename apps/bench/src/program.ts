import {readFileSync} from 'node:fs';
import {Command} from 'commander';
import {addBenchCommand} from './commands/bench.ts';
import {addClusterCommand} from './commands/cluster.ts';
import {addDoctorCommand} from './commands/doctor.ts';
import {addGenerateCommand} from './commands/generate.ts';
import {addListCommand} from './commands/list.ts';
import {addReportCommand} from './commands/report.ts';
import {addSegmentCommand} from './commands/segment.ts';

/** The command line of `epsball`. Each command is a file in `commands/`. */
export function createProgram(): Command {
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
  addSegmentCommand(program);
  addBenchCommand(program);
  addReportCommand(program);
  addGenerateCommand(program);
  addListCommand(program);
  addDoctorCommand(program);
  return program;
}

function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const manifest: unknown = JSON.parse(text);
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'unknown';
}
