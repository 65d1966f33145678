import {
  measuredCells,
  nameSubject,
  peers,
  suites as allSuites,
  timeOf,
  VERDICT_NAMES,
  VERDICTS,
  type MeasuredCell,
  type ResultFile,
  type Suite,
} from '@epsball/benchmarks';
import {escapeHtml, formatCount, formatFactor, formatMs} from '@epsball/cli/command';
import {speedCells, winsOf} from '../run/lines.ts';
import {chartHtml, type Series} from './chart.ts';
import {commitText, countVerdicts, type MachineRuns} from './machines.ts';
import {plain, tableHtml, type TableCell} from './table.ts';

/** What the suites of each kind run. */
const SUBJECTS: Readonly<Record<Suite['kind'], string>> = {
  dbscan: 'DBSCAN',
  dynamic: 'dynamic DBSCAN',
  hdbscan: 'HDBSCAN*',
  'mean-shift': 'mean shift',
  primitives: 'GPU primitives',
};

/** Rows of the table of winners on the first screen, one a kind of data; the others fold. */
const MOST_WINS = 8;

/** The first screen: a sentence, a picture, a table and the counts of the claims. */
export function frontHtml([machine, ...others]: readonly MachineRuns[]): string {
  const results = machine.runs.map(({result}) => result);
  return `<header>
<h1>epsball benchmarks</h1>
<p class="lead">${escapeHtml(sentenceOf(machine.name, results))}</p>
${warningsOf(results)}
</header>
<section id="front">
<div class="front">
${timesChart(machine, others)}
<div>
${winsHtml(machine, others)}
</div>
</div>
${countsHtml(machine, others)}
</section>`;
}

/** What was run, on what, when and at which load. */
function sentenceOf(name: string, results: readonly ResultFile[]): string {
  const cells = results.reduce((sum, result) => sum + measuredCells(result).length, 0);
  const days = [...new Set(results.map(({startedAt}) => startedAt.slice(0, 10)))].toSorted();
  const loads = results.flatMap(({load}) => (load === null ? [] : [load.before, load.after]));
  const load = loads.length === 0 ? 'load not recorded' : `load average ${Math.min(...loads)} to ${Math.max(...loads)}`;
  const profiles = [...new Set(results.map(({profile}) => profile))].join(' and ');
  const commits = [...new Set(results.map(commitText))];
  const suites = results.length === 1 ? `the suite ${results[0].suite}` : `${results.length} suites`;
  const span = days.length === 1 ? days[0] : `${days[0]} to ${days.at(-1)}`;
  const subjects = allSuites.filter(({id}) => results.some(({suite}) => suite === id)).map(({kind}) => SUBJECTS[kind]);
  const codes = new Intl.ListFormat('en-GB').format(new Set(subjects));
  return `Our codes of ${codes}: ${suites}, ${formatCount(cells)} cells, each verified before its time was kept, on ${name}; ${span}, ${load}, ${profiles} profile, commit ${commits.join(', ')}.`;
}

function warningsOf(results: readonly ResultFile[]): string {
  const failed = results.flatMap(({cells}) => cells.filter(({status}) => status === 'failed')).length;
  const software = results.find(({adapter}) => adapter !== null && adapter.kind !== 'hardware')?.adapter;
  const warnings: string[] = [];
  if (failed > 0) {
    warnings.push(`${failed} ${failed === 1 ? 'cell' : 'cells'} failed; the section of each suite says why.`);
  }
  if (software != null) {
    warnings.push(
      `GPU variants ran on ${software.name}, a software adapter: they show that the code is right, and say nothing of the speed of a GPU.`,
    );
  }
  return warnings.map((warning) => `<p class="warning" role="note">${escapeHtml(warning)}</p>`).join('\n');
}

/** A way to run: where its times come from, and which cells count for it. */
interface Class {
  readonly label: string;
  readonly holds: (cell: MeasuredCell) => boolean;
}
export const CLASSES: readonly Class[] = [
  {label: 'our best on the GPU', holds: ({backend}) => backend === 'gpu'},
  {label: 'our best on all threads', holds: ({threads, backend}) => threads > 1 && backend !== 'gpu'},
  {
    label: 'our best on one thread',
    holds: ({threads, backend, options}) => threads === 1 && backend !== 'gpu' && options['index'] !== 'none',
  },
];
/** The family of points on which peers were timed, and their file. */
const [PEER_FAMILY, PEER_FILE] = ['spots:dim=2,seed=1', 'spots2d-'];
/** Places of `peers.codes`: other programs, from the host's array to the host's labels. */
const RIVALS = [1, 7, 8, 9];

/** Time against n of the fastest of each way to run, on the family of points with the most sizes. */
function timesChart(machine: MachineRuns, others: readonly MachineRuns[]): string {
  const cells = speedCells(machine.evidence.results);
  const families = [...Map.groupBy(cells, familyOf)]
    .map(([family, all]) => ({family, all, sizes: new Set(all.map(({n}) => n)).size}))
    .sort((a, b) => b.sizes - a.sizes || Math.max(...b.all.map(({n}) => n)) - Math.max(...a.all.map(({n}) => n)));
  const chosen = families.find(({family, sizes}) => family === PEER_FAMILY && sizes > 1) ?? families[0];
  if (chosen === undefined) return '';
  const series = CLASSES.map(({label, holds}): Series => ({label, points: fastestBySize(chosen.all.filter(holds))}));
  const [other] = series[0].points.length > 0 ? [] : others;
  if (other !== undefined) {
    const theirs = speedCells(other.evidence.results).filter(
      (cell) => familyOf(cell) === chosen.family && cell.backend === 'gpu',
    );
    const label = `committed, ${other.shortName}: our best on the GPU`;
    series.push({label, points: fastestBySize(theirs), isElsewhere: true});
  }
  if (chosen.family === PEER_FAMILY) series.push(...peerSeries());
  const [generator] = chosen.family.split(':', 1);
  const recorded =
    chosen.family === PEER_FAMILY
      ? ` Dashed: recorded ${peers.date} on one ${peers.machine.split(',')[0]}, on a file of the same distribution.`
      : '';
  const caption = `Fastest verified code of each kind, whole run with transfers.${recorded}`;
  return chartHtml({title: `Time by points: ${generator}`, caption, x: 'points', unit: 'time', series, heading: 'h2'});
}

function peerSeries(): Series[] {
  const files = peers.dbscan.filter(({file}) => file.startsWith(PEER_FILE));
  return RIVALS.map((code) => ({
    label: peers.codes[code],
    isElsewhere: true,
    points: files.flatMap(({file, ms}) => {
      const y = ms[code];
      return y === null ? [] : [{x: Number(file.slice(PEER_FILE.length)), y}];
    }),
  }));
}

/** A data set without its size, and eps if it does not shrink with it. */
function familyOf({dataset}: MeasuredCell): string {
  return dataset.replace(/n=\d+,?/, '');
}

function fastestBySize(cells: readonly MeasuredCell[]): Series['points'] {
  return [...Map.groupBy(cells, ({n}) => n)]
    .map(([x, all]) => ({x, y: Math.min(...all.map(timeOf))}))
    .sort((a, b) => a.x - b.x);
}

/** Data × what wins × by how much over the second; the committed GPU beside it where this machine has none. */
function winsHtml(machine: MachineRuns, [other]: readonly MachineRuns[]): string {
  const wins = winsOf(machine.evidence.results);
  if (wins.length === 0) return '';
  const hasGpu = machine.runs.some(({result}) => result.adapter?.kind === 'hardware');
  const committed = hasGpu || other === undefined ? [] : winsOf(other.evidence.results);
  const theirs = new Map(committed.map(({workload, best}) => [workload, best]));
  const isBeside = wins.some(({workload}) => theirs.has(workload));
  const columns = ['points', 'fastest', 'time', 'over the second', 'second'];
  if (isBeside) columns.push(`committed, ${other.shortName}`);
  const besideOf = (cell: MeasuredCell | undefined): TableCell =>
    cell === undefined ? plain('–') : {text: formatMs(timeOf(cell)), note: nameSubject(cell), tone: 'document'};
  const rows = wins.map(({workload, best, second}) => {
    const ours = [best, second].map((cell) => ({name: plain(nameSubject(cell)), ms: timeOf(cell)}));
    const [first, next] = [...ours, ...rivalsOn(best, machine)].sort((a, b) => a.ms - b.ms);
    return [
      plain(workload),
      {...first.name, tone: 'winner' as const},
      plain(formatMs(first.ms)),
      plain(formatFactor(next.ms / first.ms)),
      next.name,
      ...(isBeside ? [besideOf(theirs.get(workload))] : []),
    ];
  });
  const kindOf = (k: number): string => wins[k].workload.split(',', 1)[0];
  const firsts = rows.filter((_, k) => wins.findIndex((__, j) => kindOf(j) === kindOf(k)) === k).slice(0, MOST_WINS);
  const all = rows.length <= firsts.length ? '' : tableHtml({title: 'All sets of points', columns, rows}, true);
  return `${tableHtml({title: 'Which of our codes wins, and by how much over the second', columns, rows: firsts, heading: 'h2'}, false)}\n${all}`;
}

/** What other programs took on the very file of a cell, if this is the kind of machine that they ran on. */
function rivalsOn({dataset}: MeasuredCell, {name}: MachineRuns): {name: TableCell; ms: number}[] {
  if (!name.startsWith(peers.machine.split(',', 1)[0])) return [];
  const timed = peers.dbscan.find(({file}) => dataset === `npy:${file}`)?.ms ?? [];
  return RIVALS.flatMap((code) => {
    const ms = timed[code] ?? null;
    return ms === null ? [] : [{name: plain(peers.codes[code].split(',', 1)[0], 'recorded'), ms}];
  });
}

/** The claims of the documents as counts, with a legend. */
function countsHtml(machine: MachineRuns, others: readonly MachineRuns[]): string {
  const counts = countVerdicts(machine.judgements);
  const total = machine.judgements.length;
  const items = VERDICT_NAMES.map((verdict) => {
    const {words, sign} = VERDICTS[verdict];
    return `<li class="${verdict.replace(' ', '-')}"><b>${counts[verdict]}</b> <span aria-hidden="true">${sign}</span> ${words}</li>`;
  });
  const beside = others.map(({shortName, judgements}) => {
    const theirs = countVerdicts(judgements);
    return `on the ${shortName}: ${VERDICT_NAMES.map((verdict) => `${VERDICTS[verdict].words} ${theirs[verdict]}`).join(', ')}`;
  });
  return `<div><p class="claims-head"><a href="#claims">${total} claims of the four documents</a>, each held against its rule:</p>
<ul class="counts">${items.join('')}</ul>
${beside.length === 0 ? '' : `<p class="small">By committed results, ${escapeHtml(beside.join('; '))}.</p>`}</div>`;
}
