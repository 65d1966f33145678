import {join} from 'node:path';
import {Command} from 'commander';
import {CodegenError} from './codegenError.ts';
import {findDifferences, writeModules} from './generate.ts';

const program = new Command('generate')
  .description('Writes <kernel>.wgsl.ts beside every .wgsl file of packages/ that has an entry point.')
  .option('--check', 'write nothing; exit 1 naming each file that is missing, stale or orphaned')
  .option('--root <folder>', 'the workspace', join(import.meta.dirname, '../../..'))
  .action(async ({check, root}: {check?: true; root: string}) => {
    try {
      const differences = check ? await findDifferences(root) : await writeModules(root);
      for (const {file, kind} of differences) print(check ? `${kind}: ${file}` : `${DONE[kind]} ${file}`);
      if (check && differences.length > 0) {
        print('Run `pnpm generate` and commit what it writes.');
        process.exitCode = 1;
      }
    } catch (error) {
      if (!(error instanceof CodegenError)) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    }
  });

const DONE = {missing: 'wrote', stale: 'wrote', orphaned: 'removed'} as const;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await program.parseAsync();
