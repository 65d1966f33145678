import {join} from 'node:path';
import {Command} from 'commander';
import {CodegenError} from './codegenError.ts';
import {makeCurrent} from './generate.ts';

const DONE = {missing: 'wrote', stale: 'wrote', orphaned: 'removed'} as const;

const program = new Command('generate')
  .description('Writes <kernel>.wgsl.ts beside every kernel that has changed.')
  .option('--root <folder>', 'the workspace', join(import.meta.dirname, '../../..'))
  .action(async ({root}: {root: string}) => {
    try {
      for (const {file, kind} of await makeCurrent(root)) process.stdout.write(`${DONE[kind]} ${file}\n`);
    } catch (error) {
      if (!(error instanceof CodegenError)) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    }
  });

await program.parseAsync();
