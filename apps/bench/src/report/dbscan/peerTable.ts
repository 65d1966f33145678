import type {MeasuredDbscanCell, PeerFigure} from '@epsball/benchmarks';
import {faint, fromDocument, numberColumn, plain, textColumn, type Table, type TableCell} from '../table.ts';
import {formatQuantity} from './quantity.ts';
import {machineOf, measuredCells, subjectName, type DbscanRun, type DbscanSection} from './section.ts';

/** Recorded times of other programs beside our fastest variant on the same data; null if the suite records none. */
export function peerTable(section: DbscanSection): Table | null {
  const {peers = []} = section.suite;
  const isMany = section.runs.length > 1;
  const rows = peers.flatMap((peer) =>
    section.runs.flatMap((run) => {
      const ours = fastestBeside(run, peer);
      return ours === undefined ? [] : [rowOf(peer, run, ours, isMany)];
    }),
  );
  if (rows.length === 0) return null;
  const columns = [
    textColumn('data set'),
    textColumn('program'),
    numberColumn('its kernels'),
    numberColumn('its time with transfers'),
    textColumn('its machine'),
    textColumn('our fastest'),
    numberColumn('our kernels'),
    numberColumn('our time'),
    textColumn('our machine'),
    textColumn('measured'),
  ];
  return {columns, rows};
}

function rowOf(peer: PeerFigure, run: DbscanRun, ours: MeasuredDbscanCell, isMany: boolean): TableCell[] {
  return [
    plain(peer.dataset),
    fromDocument(peer.program),
    timeCell(peer.deviceMs, fromDocument),
    timeCell(peer.wallMs, fromDocument),
    fromDocument(peer.machine),
    plain(subjectName(ours) + (isMany ? ` · ${run.letter}` : '')),
    timeCell(ours.device?.medianMs ?? null, plain),
    timeCell(ours.wall.medianMs, plain),
    plain(machineOf(run, ours.backend)),
    faint(peer.measured),
  ];
}

function timeCell(ms: number | null, toCell: (text: string) => TableCell): TableCell {
  return ms === null ? faint('–') : toCell(formatQuantity('time', ms));
}

/** The fastest measured cell on the peer's data, on a GPU or not as the peer. */
function fastestBeside(run: DbscanRun, {dataset, runsOn}: PeerFigure): MeasuredDbscanCell | undefined {
  return measuredCells(run)
    .filter((cell) => cell.dataset === dataset && (cell.backend === 'gpu') === (runsOn === 'gpu'))
    .toSorted((a, b) => a.wall.medianMs - b.wall.medianMs)[0];
}
