import {
  figures,
  limitsOf,
  isSameWorkload,
  measuredCells,
  nameDataset,
  nameSubject,
  nameWorkload,
  peers,
  suites,
  timeOf,
  type Axis,
  type Cell,
  type MeasuredCell,
  type ResultFile,
  type Suite,
} from '@epsball/benchmarks';
import {escapeHtml, formatCount, formatFactor, formatMs, formatPercent} from '@epsball/cli/command';
import {chartHtml, type Series} from './chart.ts';
import {commitText, type MachineRuns, type Run} from './machines.ts';
import {picturesHtml} from './pictures.ts';
import {faint, plain, tableHtml, type Table, type TableCell} from './table.ts';

/** Suites whose pictures stand beside the documents. */
const EXHIBITED = new Set(Object.values(figures).flatMap(({pictures}) => pictures?.suite ?? []));
/** Lines of a chart beyond these are in the table only. */
const MOST_LINES = 8;

/** A section a suite, folded: a chart over its axis, a table of all times, and what was left out. */
export async function suitesHtml({runs}: MachineRuns): Promise<string> {
  const sections = await Promise.all(
    suites.map(async (suite) => {
      const run = runs.find(({result}) => result.suite === suite.id);
      return run === undefined ? '' : await suiteHtml(suite, run);
    }),
  );
  const names = suites.filter(({id}) => !runs.some(({result}) => result.suite === id)).map(({id}) => id);
  const not = names.length === 0 ? '' : `\n<p class="small">Not run: ${names.join(', ')}.</p>`;
  return `<section id="suites"><h2>Suites</h2>${not}\n${sections.filter((html) => html !== '').join('\n')}\n</section>`;
}

async function suiteHtml(suite: Suite, run: Run): Promise<string> {
  const {result} = run;
  const {id, title, source, reproduces, notes, credits = []} = suite;
  const load = result.load === null ? '' : `, load ${result.load.before} to ${result.load.after}`;
  const when = `${result.startedAt.slice(0, 10)}, ${result.profile} profile, commit ${commitText(result)}${load}, ${Math.round(result.elapsedMs / 1000)} s`;
  const tables = [
    timesTable(suite, result),
    ...(suite.limits === undefined ? [] : [memoryTable(suite, result)]),
    ...phaseTables(result),
  ];
  const pictures = EXHIBITED.has(id) ? '' : await picturesHtml([run], {suite: id, isRaw: false});
  const gaps = gapsOf(result).map((gap) => `<li>${escapeHtml(gap)}</li>`);
  const peerTables = id === 'state-of-the-art' ? peersHtml() : id === 'hdbscan' ? hdbscanPeersHtml(result) : '';
  return `<details class="suite" id="${id}"><summary><h3>${escapeHtml(title)}</h3> ${measuredCells(result).length} cells</summary>
<p class="lead">${escapeHtml(source)}.<br>${escapeHtml(reproduces)}.<br>${escapeHtml(when)}.</p>
${credits.map((credit) => `<p class="small"><strong>${escapeHtml(credit)}</strong></p>`).join('')}
${axisChart(suite, result)}
${pictures}
${peerTables}
${tables.map((table, k) => (table.rows.length === 0 ? '' : tableHtml(table, k > 0))).join('\n')}
${gaps.length === 0 ? '' : `<details><summary>Left out or failed: ${gaps.length} ${gaps.length === 1 ? 'reason' : 'reasons'}</summary><ul class="small">${gaps.join('')}</ul></details>`}
${notes.map((note) => `<p class="small">${escapeHtml(note)}</p>`).join('\n')}
</details>`;
}

/** The chart leaves out cells whose value is undefined. */
type AxisValue = (cell: Cell) => number | undefined;

const AXES: Readonly<Record<Exclude<Axis, 'dataset'>, {readonly title: string; readonly of: AxisValue}>> = {
  n: {title: 'points', of: ({n}) => n},
  eps: {title: 'eps', of: ({params}) => params['eps']},
  minPts: {title: 'minPts', of: ({params}) => params['minPts']},
  dim: {title: 'dimensions', of: ({dim}) => dim},
  threads: {title: 'threads', of: ({threads}) => threads},
  changes: {title: 'points that come, and as many that go', of: ({params}) => params['changes']},
};

/** Time over what the suite varies: a line a subject, those with the most places. */
function axisChart({axis, kind}: Suite, result: ResultFile): string {
  if (axis === 'dataset' || kind === 'primitives') return '';
  const {title, of} = AXES[axis];
  const groups = Map.groupBy(measuredCells(result), (cell) => {
    const name = nameSubject(axis === 'threads' ? {...cell, threads: 1} : cell);
    return kind === 'hdbscan' ? `${name}, ${nameDataset(cell.dataset)}` : name;
  });
  const pointsOf = (cell: MeasuredCell): Series['points'] => {
    const x = of(cell);
    return x === undefined ? [] : [{x, y: timeOf(cell)}];
  };
  const series = [...groups]
    .map(([label, cells]): Series => ({label, points: cells.flatMap(pointsOf)}))
    .toSorted((a, b) => b.points.length - a.points.length)
    .slice(0, MOST_LINES);
  const caption = 'Median wall time, transfers included.';
  return chartHtml({title: `Time over ${title}`, caption, x: title, isLogX: axis !== 'eps', unit: 'time', series});
}

/** A row a set of points, a column a subject; of many subjects a row each. */
function timesTable(suite: Suite, {cells}: ResultFile): Table {
  if (suite.kind === 'primitives') return primitivesTable(cells);
  const title = 'Times';
  const subjects = [...new Set(cells.map(nameSubject))];
  const places = cells.filter((cell, k) => cells.findIndex((one) => isSameWorkload(one, cell)) === k);
  const at = (place: Cell, subject: string): Cell | undefined =>
    cells.find((cell) => isSameWorkload(cell, place) && nameSubject(cell) === subject);
  const foundOn = (place: Cell): MeasuredCell[] => measuredCells({cells}).filter((cell) => isSameWorkload(cell, place));
  const timesOn = (place: Cell): TableCell[] => {
    const best = Math.min(...foundOn(place).map(timeOf));
    return subjects.map((subject) => timeCell(at(place, subject), best));
  };
  const clustersOf = ([cell]: readonly MeasuredCell[]): TableCell => {
    if (cell?.clusters == null) return faint();
    const noise = cell.noise === null ? undefined : `${formatPercent(cell.noise / cell.n)} noise`;
    return plain(formatCount(cell.clusters), noise);
  };
  if (subjects.length > places.length + 3) {
    const times = places.map(timesOn);
    const rows = subjects.map((subject, k) => [plain(subject), ...times.map((column) => column[k])]);
    return {title, columns: ['code', ...places.map(nameWorkload)], rows};
  }
  const rows = places.map((place) => [
    plain(nameWorkload(place)),
    ...timesOn(place),
    clustersOf(foundOn(place)),
    labelsOf(foundOn(place)),
  ]);
  return {title, columns: ['points', ...subjects, 'clusters', 'labels'], rows};
}

/** Whether the cells of a set of points agree, and with what they were compared. */
function labelsOf(cells: readonly MeasuredCell[]): TableCell {
  if (cells.every(({labels}) => labels === null))
    return plain([...new Set(cells.flatMap(({verified}) => verified))].slice(0, 1).join(''));
  if (new Set(cells.map(({labels}) => labels)).size > 1) return {text: 'differ', tone: 'bad'};
  if (cells.some(({verified}) => verified.includes('definition'))) return plain('equal, and to the definition');
  return cells.length > 1 || !cells[0].verified.includes('reference') ? plain('equal') : faint('nothing to compare');
}

function timeCell(cell: Cell | undefined, best: number): TableCell {
  if (cell === undefined) return faint();
  if (cell.status === 'leftOut') return faint('left out');
  if (cell.status === 'failed') return {text: 'failed', tone: 'bad'};
  if (cell.status === 'estimated') return plain(`† ${formatMs(cell.ms)}`);
  const {wall, device} = cell;
  const notes = [
    ...(wall !== null && wall.allMs.length > 1 ? [`±${formatPercent(wall.spread / 2)}`] : []),
    ...(device === null || wall === null ? [] : [`device ${formatMs(device.medianMs)}`]),
  ];
  const tone = timeOf(cell) === best ? {tone: 'winner' as const} : {};
  return {text: formatMs(timeOf(cell)), ...(notes.length === 0 ? {} : {note: notes.join(', ')}), ...tone};
}

function primitivesTable(cells: readonly Cell[]): Table {
  const ours = cells.filter(({row}) => row === 'primitive');
  const rate = (bytes: number | undefined, ms: number): TableCell =>
    bytes === undefined ? faint() : plain(`${formatCount(Math.round(bytes / ms / 1e6))} GB/s`);
  const rows = ours.map((cell) => {
    const script = cells.find((one) => one.row === 'javascript' && isSameWorkload(one, cell));
    const head = [plain(cell.dataset), plain(formatCount(cell.n))];
    const beside = script?.status === 'measured' ? plain(formatMs(timeOf(script))) : faint();
    if (cell.status !== 'measured') return [...head, timeCell(cell, 0), faint(), faint(), faint(), beside];
    const {device, wall, counters} = cell;
    const {bytes, copyBytes, copyMs} = counters;
    const tail = [wall === null ? faint() : plain(formatMs(wall.medianMs)), beside];
    if (device === null) return [...head, faint(), faint(), faint(), ...tail];
    const ms = device.medianMs;
    const ofCopy = copyMs === undefined ? faint() : plain(formatPercent(bytes / ms / (copyBytes / copyMs)));
    return [...head, plain(formatMs(ms)), rate(bytes, ms), ofCopy, ...tail];
  });
  const columns = ['operation', 'elements', 'device', 'useful bytes', 'of a copy', 'with transfers', 'JavaScript'];
  return {title: 'Device times', columns, rows};
}

function memoryTable(suite: Suite, result: ResultFile): Table {
  const bytesCell = (bytes: number | null, n: number, limit: number | undefined): TableCell => {
    if (bytes === null) return faint();
    const text = `${(bytes / n).toFixed(1)} B`;
    if (limit === undefined) return faint(text);
    return {text, note: `of ${limit}`, ...(bytes / n > limit ? {tone: 'bad'} : {})};
  };
  const rows = measuredCells(result)
    .filter(({hostBytes, deviceBytes}) => hostBytes !== null || deviceBytes !== null)
    .map((cell) => {
      const {host, device} = limitsOf(suite, cell, result.adapter);
      return [
        plain(nameSubject(cell)),
        plain(`${formatCount(cell.n)} × ${cell.dim}`),
        bytesCell(cell.hostBytes, cell.n, host),
        bytesCell(cell.deviceBytes, cell.n, device),
      ];
    });
  return {title: 'Memory a point', columns: ['variant', 'points', 'host bytes', 'device bytes'], rows};
}

/** Where the time goes: phases and counters of every cell. */
function phaseTables(result: ResultFile): Table[] {
  const cells = measuredCells(result);
  type Numbers = Readonly<Record<string, number>>;
  const tableOf = (title: string, of: (cell: MeasuredCell) => Numbers, text: (value: number) => string): Table => {
    const all = [...new Set(cells.flatMap((cell) => Object.keys(of(cell))))];
    const names = all.filter((name) => !/OfThread\d/.test(name));
    const rows = cells
      .filter((cell) => Object.keys(of(cell)).length > 0)
      .map((cell) => [
        plain(nameSubject(cell), nameWorkload(cell)),
        ...names.map((name) => (of(cell)[name] === undefined ? faint() : plain(text(of(cell)[name])))),
      ]);
    return {title, columns: ['code', ...names], rows: names.length === 0 ? [] : rows};
  };
  const number = (value: number): string =>
    Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(3)));
  return [
    tableOf('Phases, by the host’s clock', ({phaseMs}) => phaseMs, formatMs),
    tableOf('Phases, by the device’s clock', ({devicePhaseMs}) => devicePhaseMs ?? {}, formatMs),
    tableOf('Counters', ({counters}) => counters, number),
  ];
}

/** Why cells were left out or failed, each reason once, with the cells it concerns. */
function gapsOf({cells}: ResultFile): string[] {
  const gaps = cells.flatMap((cell) => {
    if (cell.status === 'measured') return [];
    const word = {failed: 'Failed', leftOut: 'Left out', estimated: '†'}[cell.status];
    return [{reason: `${word}: ${cell.reason}`, name: `${nameSubject(cell)} on ${nameWorkload(cell)}`}];
  });
  return [...Map.groupBy(gaps, ({reason}) => reason)].map(
    ([reason, alike]) => `${reason} (${alike.map(({name}) => name).join('; ')})`,
  );
}

/** What other programs took on files that numpy made, beside ours on the very same. */
function peersHtml(): string {
  const {machine, date, versions, codes, dbscan} = peers;
  const rows = codes.map((code, k) => [plain(code), ...dbscan.map(({ms}) => peerCell(ms[k], code.startsWith('ours')))]);
  const factors = dbscan.map(({ms}) => plain(formatFactor((ms[1] ?? Number.NaN) / (ms[4] ?? Number.NaN))));
  const lines = [...rows, [plain('ours over ArborX FDBSCAN, with transfers'), ...factors]];
  const words = Object.entries(versions).map(([name, version]) => `${name}: ${version}`);
  const notes = dbscan.flatMap(({file, note}) => (note === undefined ? [] : [`${file}: ${note}`]));
  const heads = dbscan.map(({file, eps, minPts}) => `${file}, eps ${Number(eps.toPrecision(3))}, minPts ${minPts}`);
  return `${tableHtml({title: 'Beside other programs, on the same files', columns: ['code', ...heads], rows: lines}, false)}
<p class="small">Recorded ${escapeHtml(date)} on one ${escapeHtml(machine)}, product and peers in turn, medians; every code read the same files of numpy (<code>scripts/make_sets.py</code>). ${escapeHtml(words.join('. '))}. ${escapeHtml(notes.join('; '))}. “device”: points on the device; “with transfers”: from a host array to host labels; “mapped and borrowed”: without the copies at both ends.</p>`;
}

function peerCell(ms: number | null | undefined, isOurs: boolean): TableCell {
  if (ms == null) return faint();
  return isOurs ? plain(formatMs(ms)) : {text: formatMs(ms), tone: 'document'};
}

/** Our HDBSCAN* on the files that other programs have read. */
function hdbscanPeersHtml(result: ResultFile): string {
  const {machine, hdbscan, hdbscanCodes, hdbscanNote} = peers;
  const cells = measuredCells(result).filter(({dataset}) => dataset.startsWith('npy:'));
  if (cells.length === 0) return '';
  const rows = hdbscan.map(({file, ms}) => {
    const ours = ['gpu', 'workers'].map((backend) => {
      const cell = cells.find((one) => one.dataset === `npy:${file}` && one.backend === backend);
      return peerCell(cell?.wall?.medianMs, true);
    });
    return [plain(file), ...ours, ...ms.map((recorded) => peerCell(recorded, false))];
  });
  const columns = ['points', 'ours, gpu', 'ours, workers', ...hdbscanCodes];
  return `${tableHtml({title: 'Beside ArborX, on the same files', columns, rows}, false)}
<p class="small">ArborX: recorded on one ${escapeHtml(machine)}. ${escapeHtml(hdbscanNote)}</p>`;
}
