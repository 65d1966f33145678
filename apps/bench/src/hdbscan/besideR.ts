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

/** A run of R's dbscan::hdbscan. */
export interface RRun {
  readonly wallMs: number;
  /** n − 1 weights of its spanning tree, ascending. */
  readonly heights: Float64Array;
  /** n core distances, ascending. */
  readonly cores: Float64Array;
}

export interface RRunner {
  /** Of the package dbscan. */
  readonly version: string;
  run(points: PointSet, minPts: number): Promise<RRun>;
  close(): void;
}

/** Whether R with the package dbscan is installed. */
export function hasR(): boolean {
  return versionOfR() !== undefined;
}

function versionOfR(): string | undefined {
  const found = spawnSync('Rscript', ['-e', 'cat(as.character(packageVersion("dbscan")))'], {encoding: 'utf8'});
  return found.status === 0 ? found.stdout : undefined;
}

/** Opens R with the package dbscan; undefined where it is not installed. */
export async function openR(): Promise<RRunner | undefined> {
  const version = versionOfR();
  if (version === undefined) return undefined;
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
    close: () => rmSync(folder, {recursive: true}),
  };
}
