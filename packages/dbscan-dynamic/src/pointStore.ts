import {withRoom, type IntList} from './arrays.ts';
import {BLOCK_LENGTHS, Blocks} from './blocks.ts';
import type {CellGeometry} from './cellGeometry.ts';
import {Cells} from './cells.ts';
import {HashTable, mix} from './hashTable.ts';

/**
 * Points by slot, by id and by cell.
 *
 * A slot is a point's number as long as it is there. The points of a cell lie at consecutive positions, core points
 * first: [start, start + cores) and [start + cores, start + size). Coordinates are by position, so that a cell is read
 * in one go.
 */
export class PointStore {
  readonly cells: Cells;
  readonly dim: number;
  /** Number of points. */
  count = 0;
  /** Slots are below this. */
  slotEnd = 0;

  /** By position. */
  coords: Float64Array = new Float64Array(0);
  slotAt: Int32Array = new Int32Array(0);
  /** What the core test counts: it lies beside the coordinates, since the two are read together. */
  counts: Int32Array = new Int32Array(0);

  /** By slot. `cellOf` is −1 for a free slot. */
  ids: Float64Array = new Float64Array(0);
  positionOf: Int32Array = new Int32Array(0);
  cellOf: Int32Array = new Int32Array(0);

  /** By cell. */
  start: Int32Array = new Int32Array(0);
  size: Int32Array = new Int32Array(0);
  cores: Int32Array = new Int32Array(0);
  #kind: Uint8Array = new Uint8Array(0);

  readonly #blocks = new Blocks();
  readonly #byId: HashTable;
  #freeSlot = -1;

  constructor(geometry: CellGeometry) {
    this.dim = geometry.dim;
    this.cells = new Cells(geometry);
    this.#byId = new HashTable((slot) => hashOfId(this.ids[slot]));
  }

  /** Makes room for more points at once, so that a large batch copies no array twice. */
  reserve(more: number): void {
    this.#byId.reserve(more);
    this.#roomForSlots(this.slotEnd + more);
  }

  /** The slot of an id; −1 if there is none. */
  slotOf(id: number): number {
    const {entries, mask} = this.#byId;
    for (let k = hashOfId(id) & mask; entries[k] !== 0; k = (k + 1) & mask) {
      if (this.ids[entries[k] - 1] === id) return entries[k] - 1;
    }
    return -1;
  }

  /** A slot for a new id. */
  addSlot(id: number): number {
    let slot = this.#freeSlot;
    if (slot >= 0) this.#freeSlot = this.positionOf[slot];
    else {
      slot = this.slotEnd++;
      this.#roomForSlots(this.slotEnd);
    }
    this.ids[slot] = id;
    this.cellOf[slot] = -1;
    this.#byId.add(slot);
    this.count++;
    return slot;
  }

  /** Frees a slot whose point was taken. */
  removeSlot(slot: number): void {
    this.#byId.remove(slot);
    this.positionOf[slot] = this.#freeSlot;
    this.#freeSlot = slot;
    this.count--;
  }

  /** Adds the slots of all points to a list, cell by cell. */
  pushAll(slots: IntList): void {
    for (let cell = 0; cell < this.cells.end; cell++) {
      for (let k = this.start[cell]; k < this.start[cell] + this.size[cell]; k++) slots.push(this.slotAt[k]);
    }
  }

  isCore(slot: number): boolean {
    const cell = this.cellOf[slot];
    return this.positionOf[slot] < this.start[cell] + this.cores[cell];
  }

  /** Puts a point that is not core into its cell. Returns the cell. */
  put(slot: number, coords: Float64Array, at: number): number {
    const cell = this.cells.cellOf(coords, at);
    this.#roomForCells(this.cells.end);
    const size = this.size[cell];
    if (size === 0) this.#place(cell, this.#blocks.take(0), 0);
    else if (size === BLOCK_LENGTHS[this.#kind[cell]]) {
      const [start, kind] = [this.start[cell], this.#kind[cell]];
      this.#place(cell, this.#blocks.take(kind + 1), kind + 1);
      for (let k = 0; k < size; k++) this.#move(start + k, this.start[cell] + k);
      this.#blocks.give(start, kind);
    }
    const position = this.start[cell] + size;
    for (let d = 0; d < this.dim; d++) this.coords[position * this.dim + d] = coords[at + d];
    this.slotAt[position] = slot;
    this.positionOf[slot] = position;
    this.cellOf[slot] = cell;
    this.size[cell] = size + 1;
    return cell;
  }

  /** Takes a point out of its cell, which stays even if it is empty. */
  take(slot: number): void {
    const cell = this.cellOf[slot];
    if (this.isCore(slot)) this.setCore(slot, false);
    const last = this.start[cell] + --this.size[cell];
    if (this.positionOf[slot] !== last) this.#move(last, this.positionOf[slot]);
    this.cellOf[slot] = -1;
    const size = this.size[cell];
    const kind = this.#kind[cell];
    // Blocks shrink once they are less than half full, so that a point that comes and goes moves no others.
    const start = this.start[cell];
    if (size === 0) this.#blocks.give(start, kind);
    if (size === 0 || kind < 3 || size > BLOCK_LENGTHS[kind - 3]) return;
    this.#place(cell, this.#blocks.take(kind - 2), kind - 2);
    for (let k = 0; k < size; k++) this.#move(start + k, this.start[cell] + k);
    this.#blocks.give(start, kind);
  }

  setCore(slot: number, isCore: boolean): void {
    const cell = this.cellOf[slot];
    const border = this.start[cell] + (isCore ? this.cores[cell]++ : --this.cores[cell]);
    const position = this.positionOf[slot];
    if (position === border) return;
    const {coords, dim, slotAt} = this;
    for (let d = 0; d < dim; d++) {
      const x = coords[border * dim + d];
      coords[border * dim + d] = coords[position * dim + d];
      coords[position * dim + d] = x;
    }
    const count = this.counts[border];
    this.counts[border] = this.counts[position];
    this.counts[position] = count;
    const other = slotAt[border];
    slotAt[position] = other;
    slotAt[border] = slot;
    this.positionOf[other] = position;
    this.positionOf[slot] = border;
  }

  #place(cell: number, start: number, kind: number): void {
    const {end} = this.#blocks;
    this.coords = withRoom(this.coords, end * this.dim);
    this.slotAt = withRoom(this.slotAt, end);
    this.counts = withRoom(this.counts, end);
    this.start[cell] = start;
    this.#kind[cell] = kind;
  }

  #move(from: number, to: number): void {
    const {coords, dim} = this;
    for (let d = 0; d < dim; d++) coords[to * dim + d] = coords[from * dim + d];
    this.counts[to] = this.counts[from];
    const slot = this.slotAt[from];
    this.slotAt[to] = slot;
    this.positionOf[slot] = to;
  }

  #roomForSlots(length: number): void {
    this.ids = withRoom(this.ids, length);
    this.positionOf = withRoom(this.positionOf, length);
    this.cellOf = withRoom(this.cellOf, length);
  }

  #roomForCells(length: number): void {
    this.start = withRoom(this.start, length);
    this.size = withRoom(this.size, length);
    this.cores = withRoom(this.cores, length);
    this.#kind = withRoom(this.#kind, length);
  }
}

/** Ids are integers up to 2^53. */
function hashOfId(id: number): number {
  return mix((id | 0) ^ Math.imul(Math.floor(id / 2 ** 32), 0x9e3779b1));
}
