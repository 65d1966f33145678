// Renders the committed baselines to docs/report: an HTML file for each machine with a GPU, index.html for the one with
// the most, with cluster pictures beside them, the picture of the README, and the README's headline table.
import {createHash} from 'node:crypto';
import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {committedBaselines, committedReferences} from '../src/report/committed.ts';
import {headlineTable} from '../src/report/front/headline.ts';
import {groupByMachine, machineName} from '../src/report/front/machines.ts';
import type {ElsewhereReport} from '../src/report/html.ts';
import {readResult} from '../src/readResult.ts';
import {writeReport} from '../src/report/writeReport.ts';

const ROOT = join(import.meta.dirname, '../../..');
const REPORT = join(ROOT, 'docs/report');
/** The chart that the README shows. */
const PICTURE = 'mil-fig2-time.svg';
const START = '<!-- headline: written by pnpm docs:report -->';
const END = '<!-- /headline -->';

const folder = mkdtempSync(join(tmpdir(), 'epsball-report-'));
try {
  const results = committedBaselines();
  const references = committedReferences();
  rmSync(REPORT, {recursive: true, force: true});
  mkdirSync(join(REPORT, 'pictures'), {recursive: true});
  const machines = await machinesOf(results);
  for (const {machine, href, files} of machines) {
    const elsewhere = machines.filter((other) => other.machine !== machine);
    const outDir = join(folder, href);
    const written = await writeReport({results: files, beside: results, references, elsewhere, outDir});
    writeFileSync(join(REPORT, href), withPicturesBeside(readFileSync(written.files[0], 'utf8')));
  }
  copyFileSync(join(folder, machines[0].href, 'charts', PICTURE), join(REPORT, PICTURE));
  const readme = join(ROOT, 'README.md');
  const text = readFileSync(readme, 'utf8');
  const [before, after] = [text.indexOf(START), text.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`README.md has no ${START} before ${END}`);
  const table = await headlineTable(results, references);
  writeFileSync(readme, `${text.slice(0, before)}${START}\n\n${table}\n\n${text.slice(after)}`);
  process.stdout.write(`${join(REPORT, 'index.html')}\n`);
} finally {
  rmSync(folder, {recursive: true});
}

interface MachineFiles extends ElsewhereReport {
  readonly files: readonly string[];
}

/**
 * The baselines of each machine, and the name of their page; those of the README's machine first. A software GPU has no
 * page: it says nothing of speed.
 */
async function machinesOf(files: readonly string[]): Promise<MachineFiles[]> {
  const read = await Promise.all(files.map(async (file) => ({file, result: await readResult(file)})));
  const runs = read
    .filter(({result}) => result.adapter?.kind === 'hardware')
    .map(({result}) => ({label: '', letter: '', folder: '', result}));
  return groupByMachine(runs, []).map(({name, shortName}, k) => ({
    machine: name,
    href: k === 0 ? 'index.html' : `${shortName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.html`,
    files: read.filter(({result}) => machineName(result) === name).map(({file}) => file),
  }));
}

/** Keeps git from storing all pictures again with every report: they change only if points or labels do. */
function withPicturesBeside(html: string): string {
  return html.replaceAll(/"data:image\/png;base64,([^"]*)"/g, (_, base64: string) => {
    const picture = Buffer.from(base64, 'base64');
    const name = `pictures/${createHash('sha256').update(picture).digest('hex').slice(0, 16)}.png`;
    writeFileSync(join(REPORT, name), picture);
    return `"${name}"`;
  });
}
