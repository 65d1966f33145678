import {filled, InvalidParameterError} from '@epsball/clustering';
import type {SavedLog} from './changeLog.ts';
import {crc32} from './crc32.ts';
import type {Engine} from './engine.ts';
import type {DynamicDbscanOptions} from './options.ts';
import type {PointHistory} from './pointHistory.ts';

/**
 * A snapshot is the magic, the CRC-32 of all after it, the length of the header, the header as JSON with spaces up to a
 * multiple of 8, and float64 arrays: ids, coordinates and weights of the points; ids of the clusters, and a core point
 * of each; ids and labels of the history of points. Numbers are little-endian.
 */
const MAGIC = 'EPSDYN1\n';
const CHECKED_FROM = MAGIC.length + 4;
const HEADER_FROM = CHECKED_FROM + 4;

interface Header {
  readonly options: DynamicDbscanOptions;
  readonly nextId: number;
  readonly nextCluster: number;
  readonly log: SavedLog;
  readonly extra: unknown;
  /** Lengths of the arrays. */
  readonly lengths: readonly number[];
}

/** A snapshot, read. */
export interface Snapshot {
  readonly options: DynamicDbscanOptions;
  readonly extra: unknown;
  /** Fills an engine without points. Returns the next id of a point. */
  readonly fill: (engine: Engine, history: PointHistory) => number;
}

/** @param slots  of all points, by ascending id */
export function writeSnapshot(
  options: DynamicDbscanOptions,
  engine: Engine,
  history: PointHistory,
  slots: Int32Array,
  nextId: number,
  extra: unknown,
): Uint8Array {
  const {store, graph, weightTest} = engine;
  const {components, clusters} = graph;
  const coords = new Float64Array(slots.length * store.dim);
  slots.forEach((slot, k) => {
    for (let d = 0; d < store.dim; d++)
      coords[k * store.dim + d] = store.coords[store.positionOf[slot] * store.dim + d];
  });
  const live = Array.from({length: components.end}, (_, c) => c).filter((c) => components.cells[c] > 0);
  const arrays = [
    filled(new Float64Array(slots.length), (k) => store.ids[slots[k]]),
    coords,
    Float64Array.from(weightTest === undefined ? [] : slots, (slot) => weightTest?.weights[slot] ?? 0),
    Float64Array.from(live, (c) => clusters.ids[c]),
    Float64Array.from(live, (c) => store.ids[store.slotAt[store.start[components.head[c]]]]),
    history.ids,
    history.labels,
  ];
  const header: Header = {
    options,
    nextId,
    nextCluster: clusters.next,
    log: clusters.log.save(),
    extra,
    lengths: arrays.map(({length}) => length),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const headerEnd = Math.ceil((HEADER_FROM + text.length) / 8) * 8;
  const bytes = new Uint8Array(headerEnd + 8 * arrays.reduce((sum, {length}) => sum + length, 0));
  bytes.fill(32, 0, headerEnd);
  bytes.set(new TextEncoder().encode(MAGIC));
  bytes.set(text, HEADER_FROM);
  const view = new DataView(bytes.buffer);
  view.setUint32(CHECKED_FROM, headerEnd - HEADER_FROM, true);
  let at = headerEnd;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  view.setUint32(MAGIC.length, crc32(bytes.subarray(CHECKED_FROM)), true);
  return bytes;
}

/** @throws InvalidParameterError  if the bytes are no whole snapshot */
export function readSnapshot(given: Uint8Array): Snapshot {
  if (!(given instanceof Uint8Array)) throw new InvalidParameterError('snapshot', given, 'a Uint8Array of snapshot()');
  // `slice` of a Buffer shares its memory.
  const bytes = new Uint8Array(given);
  const view = new DataView(bytes.buffer);
  const magic = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
  if (bytes.length < HEADER_FROM || magic !== MAGIC) throw damaged(bytes, 'that begins with EPSDYN1');
  if (view.getUint32(MAGIC.length, true) !== crc32(bytes.subarray(CHECKED_FROM))) {
    throw damaged(bytes, 'whose checksum is that of its content: it is damaged');
  }
  const headerEnd = HEADER_FROM + view.getUint32(CHECKED_FROM, true);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checksum tells that `writeSnapshot` wrote it
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER_FROM, headerEnd))) as Header;
  let at = headerEnd;
  const arrays = header.lengths.map((length) => {
    const array = new Float64Array(bytes.buffer, at, length);
    at += array.byteLength;
    return array;
  });
  return {
    options: header.options,
    extra: header.extra,
    fill: (engine, history) => fill(header, arrays, engine, history),
  };
}

function fill(header: Header, arrays: readonly Float64Array[], engine: Engine, history: PointHistory): number {
  const [ids, inserted, weights, clusterIds, members, historyIds, historyLabels] = arrays;
  const {store, graph} = engine;
  engine.apply({removed: [], moved: [], movedTo: new Float64Array(0), ids, inserted, weights});
  graph.clusters.restore(
    Array.from(members, (id) => graph.components.of[store.cellOf[store.slotOf(id)]]),
    clusterIds,
    header.nextCluster,
    header.log,
  );
  // Copies: a subarray, even an empty one, would keep the bytes of the whole file.
  history.ids = historyIds.slice();
  history.labels = historyLabels.slice();
  return header.nextId;
}

function damaged(bytes: Uint8Array, expectation: string): InvalidParameterError {
  return new InvalidParameterError('snapshot', `${bytes.length} bytes`, `a file of snapshot() ${expectation}`);
}
