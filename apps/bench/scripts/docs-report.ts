// Renders the committed baselines to docs/report: an HTML file for each machine with a GPU, index.html for the one that
// was measured last, with cluster pictures beside them, and the tables of pages between marks.
import {createHash} from 'node:crypto';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {machineName} from '@epsball/benchmarks';
import {committedBaselines, committedReferences} from '../src/files.ts';
import {readResult} from '../src/readResult.ts';
import {groupByMachine} from '../src/report/machines.ts';
import {MARKED_TABLES, withTable} from '../src/report/markedTables.ts';
import {writeReport} from '../src/report/writeReport.ts';

const ROOT = join(import.meta.dirname, '../../..');
const REPORT = join(ROOT, 'docs/report');

const folder = mkdtempSync(join(tmpdir(), 'epsball-report-'));
try {
  const files = committedBaselines();
  const references = committedReferences();
  const read = await Promise.all(files.map(async (file) => ({file, result: await readResult(file)})));
  // A software GPU has no page: it says nothing of speed.
  const hardware = read.filter(({result}) => result.adapter?.kind === 'hardware' && result.profile === 'full');
  const machines = groupByMachine(
    hardware.map(({result}) => ({folder: '', result})),
    await Promise.all(references.map(readResult)),
  );
  const pages = machines.map(({name, shortName}, k) => ({
    machine: name,
    href: k === 0 ? 'index.html' : `${shortName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.html`,
  }));
  rmSync(REPORT, {recursive: true, force: true});
  mkdirSync(join(REPORT, 'pictures'), {recursive: true});
  for (const {machine, href} of pages) {
    const own = hardware.filter(({result}) => machineName(result) === machine).map(({file}) => file);
    const elsewhere = pages.filter((other) => other.machine !== machine);
    const outDir = join(folder, href);
    const written = await writeReport({results: own, beside: files, references, elsewhere, outDir});
    writeFileSync(join(REPORT, href), withPicturesBeside(readFileSync(written.files[0], 'utf8')));
  }
  for (const table of MARKED_TABLES) {
    const path = join(ROOT, table.page);
    writeFileSync(path, withTable(readFileSync(path, 'utf8'), table, machines[0]));
  }
  process.stdout.write(`${join(REPORT, 'index.html')}\n`);
} finally {
  rmSync(folder, {recursive: true});
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
