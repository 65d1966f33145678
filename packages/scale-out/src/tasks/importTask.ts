import {randomUUID} from 'node:crypto';
import {readCsvBatches} from '@epsball/datasets';
import {checkUnchanged, readInput} from '../input/inputFiles.ts';
import type {ImportFacts} from '../input/pointReader.ts';
import {sizesFor} from '../memory.ts';
import type {RunFiles} from '../runFiles.ts';
import type {FileSeal} from '../seal.ts';

/** Reads a CSV file once, in the dialect of `readPoints`, and writes its points as binary pieces. */
export async function runImport(files: RunFiles, index: number, signal: AbortSignal | undefined): Promise<void> {
  const request = await files.request();
  const file = request.inputs[index];
  await checkUnchanged(file);
  const task = {kind: 'import', index} as const;
  const attempt = randomUUID();
  const pieces: number[] = [];
  const seals: FileSeal[] = [];
  let layout: Pick<ImportFacts, 'dim' | 'columns'> | undefined;
  const precision = request.precision === 'float32' ? 'float32' : 'float64';
  const {columns, delimiter, decimal, dim} = request;
  const options = {columns, delimiter, decimal, dim, precision, signal} as const;
  // Before the first row, the dimension is unknown: the least number of rows is safe for four.
  const batchRows = request.forced?.chunkRows ?? sizesFor(request.memoryBytes, dim ?? 4, precision).chunkRows;
  await readInput(file, async (input) => {
    for await (const batch of readCsvBatches(input, options, batchRows)) {
      layout ??= {dim: batch.dim, columns: batch.columns ?? []};
      if (batch.coords.length === 0) continue;
      seals.push(await files.writePiece(task, attempt, pieces.length, batch.coords));
      pieces.push(batch.coords.length / batch.dim);
    }
  });
  await files.finishPieces(task, {...layout, pieces} satisfies Partial<ImportFacts>, {attempt, files: seals});
}
