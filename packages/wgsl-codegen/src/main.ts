import {join} from 'node:path';
import {CodegenError} from './codegenError.ts';
import {makeCurrent} from './generate.ts';

const DONE = {missing: 'wrote', stale: 'wrote', orphaned: 'removed'} as const;

try {
  const differences = await makeCurrent(join(import.meta.dirname, '../../..'));
  for (const {file, kind} of differences) process.stdout.write(`${DONE[kind]} ${file}\n`);
} catch (error) {
  if (!(error instanceof CodegenError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
