import {execFile, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import type {PointSet} from '@epsball/clustering';

const R_SCRIPT = `
args <- commandArgs(trailingOnly = TRUE)
suppressMessages(library(dbscan))
n <- as.integer(args[2]); dim <- as.integer(args[3]); k <- as.integer(args[4])
x <- matrix(readBin(args[1], "double", n * dim), ncol = dim, byrow = TRUE)
time <- system.time(result <- hdbscan(x, minPts = k))["elapsed"]
writeBin(c(unname(time), sort(result$hc$height), sort(kNNdist(x, k - 1))), args[5])
`;

/** A run of R's dbscan::hdbscan: n − 1 weights of its spanning tree and n core distances, ascending. */
interface RRun {
  readonly wallMs: number;
  readonly heights: Float64Array;
  readonly cores: Float64Array;
}

interface RRunner extends Disposable {
  /** Of the package dbscan. */
  readonly version: string;
  run(points: PointSet, minPts: number): Promise<RRun>;
}

/** The version of R's package dbscan; undefined where it is not installed. */
export function versionOfR(): string | undefined {
  const found = spawnSync('Rscript', ['-e', 'cat(as.character(packageVersion("dbscan")))'], {encoding: 'utf8'});
  return found.status === 0 ? found.stdout : undefined;
}

/** @throws Error  if R with the package dbscan is not installed */
export function openR(): RRunner {
  const version = versionOfR();
  if (version === undefined) throw new Error('R with the package dbscan is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'epsball-r-'));
  const [script, input, output] = ['run.R', 'points.bin', 'result.bin'].map((name) => join(folder, name));
  writeFileSync(script, R_SCRIPT);
  return {
    version,
    run: async ({coords, dim}, minPts) => {
      const n = coords.length / dim;
      writeFileSync(input, new Float64Array(coords));
      await promisify(execFile)('Rscript', [script, input, `${n}`, `${dim}`, `${minPts}`, output]);
      const values = new Float64Array(new Uint8Array(readFileSync(output)).buffer);
      return {wallMs: 1000 * values[0], heights: values.slice(1, n), cores: values.slice(n)};
    },
    [Symbol.dispose]: () => rmSync(folder, {recursive: true}),
  };
}
