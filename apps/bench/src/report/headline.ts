import {peers, timeOf} from '@epsball/benchmarks';
import {formatCount, formatMs} from '@epsball/cli/command';
import {speedCells} from '../run/lines.ts';
import {escapeMarkdown} from './escape.ts';
import {CLASSES} from './front.ts';
import type {MachineRuns} from './machines.ts';

/** Files of the peers whose times stand for all: DBSCAN in the plane and in space. */
const HEADLINES = ['spots2d-1000000', 'spots2d-10000000', 'spots3d-10000000'];
/** Of `peers.codes`: from the host's array to the host's labels, on a GPU. */
const PEER_CODE = 1;

/** A few times as a table of Markdown: our fastest of each way to run, and a peer's. */
export function headlineTable(machine: MachineRuns): string {
  const cells = speedCells(machine.evidence.results);
  const rows = HEADLINES.map((file) => {
    const own = cells.filter(({dataset}) => dataset === `npy:${file}`);
    const fastest = CLASSES.map(({holds}) => formatMs(Math.min(...own.filter(holds).map(timeOf))));
    const peer = peers.dbscan.find((one) => one.file === file)?.ms[PEER_CODE] ?? Number.NaN;
    const [{n, dim}] = own;
    return [`${formatCount(n)} points × ${dim}`, ...fastest, formatMs(peer)];
  });
  const {name} = machine;
  const [gpu, cpu] = name.split(' and ');
  const peerName = `${peers.codes[PEER_CODE].split(' ', 1)[0]} on ${peers.machine.split(',', 1)[0]}`;
  const head = ['array to labels', gpu, cpu.replace(/^.*, /, ''), 'one thread', `${peerName}, ${peers.date}`];
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  return [line(head.map(escapeMarkdown)), '|---|---|---|---|---|', ...rows.map(line)].join('\n');
}
