import {withRoom} from './arrays.ts';
import {GAP_ERROR, type CellGeometry} from './cellGeometry.ts';
import {HashTable, mix} from './hashTable.ts';

/** Odd numbers for the axes. */
const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f];

/** Cells of a tile on an axis, by dimension: a look-up finds up to 16 cells, and a cell alone costs up to 64 bytes. */
const TILE_SIDES = [8, 4, 2, 2];

/**
 * The occupied cells, in tiles that are hashed by their place. What a cell holds is by its number, in arrays of the
 * owner.
 */
export class Cells {
  /** Numbers of cells are below this. */
  end = 0;
  /** The cells that the last call of a `collect` method found. */
  readonly near: Int32Array;
  readonly geometry: CellGeometry;
  readonly #side: number;
  /** Cells of a tile. */
  readonly #volume: number;
  /** By tile: its place in tiles, dim numbers; its cells, plus 1, 0 for none; how many it has. */
  #places: Float64Array = new Float64Array(0);
  #members: Int32Array = new Int32Array(0);
  #counts: Uint8Array = new Uint8Array(0);
  /** By cell: its tile, and its index there. */
  #tileOf: Int32Array = new Int32Array(0);
  #indexOf: Uint8Array = new Uint8Array(0);
  #tileEnd = 0;
  readonly #table: HashTable;
  /** By index in a tile: dim coordinates. */
  readonly #inTile: Int32Array;
  /** By axis and offset on it: squared gap to cells at this offset, in sides. */
  readonly #gaps: Float64Array;
  readonly #reach: number;
  /** A cell, a tile, and the first tile of a search, dim numbers each. */
  readonly #base: Float64Array;
  readonly #tile: Float64Array;
  readonly #low: Float64Array;
  /** By axis: offset of the first cell of a tile from the base, plus the reach. */
  readonly #shift: Int32Array;
  readonly #freeCells: number[] = [];
  readonly #freeTiles: number[] = [];

  constructor(geometry: CellGeometry) {
    const {dim, offsetCount, reachInCells} = geometry;
    this.geometry = geometry;
    this.#side = TILE_SIDES[dim - 1];
    this.#volume = this.#side ** dim;
    this.near = new Int32Array(offsetCount);
    this.#inTile = Int32Array.from({length: this.#volume * dim}, (_, k) => {
      return Math.floor(Math.floor(k / dim) / this.#side ** (k % dim)) % this.#side;
    });
    this.#reach = reachInCells;
    this.#gaps = new Float64Array(dim * (2 * reachInCells + 1));
    this.#base = new Float64Array(dim);
    this.#tile = new Float64Array(dim);
    this.#low = new Float64Array(dim);
    this.#shift = new Int32Array(dim);
    this.#table = new HashTable((tile) => hashOf(this.#places, tile * dim, dim));
  }

  /** The cell of the point at `coords[at]`, made if there is none. */
  cellOf(coords: Float64Array, at: number): number {
    const {dim} = this.geometry;
    this.#setBase(coords, at);
    let index = 0;
    for (let d = dim - 1; d >= 0; d--) {
      this.#tile[d] = Math.floor(this.#base[d] / this.#side);
      index = index * this.#side + this.#base[d] - this.#tile[d] * this.#side;
    }
    const found = this.#findTile();
    const tile = found >= 0 ? found : this.#addTile();
    const slot = tile * this.#volume + index;
    if (this.#members[slot] !== 0) return this.#members[slot] - 1;
    const cell = this.#freeCells.pop() ?? this.end++;
    this.#tileOf = withRoom(this.#tileOf, this.end);
    this.#indexOf = withRoom(this.#indexOf, this.end);
    this.#tileOf[cell] = tile;
    this.#indexOf[cell] = index;
    this.#members[slot] = cell + 1;
    this.#counts[tile]++;
    return cell;
  }

  /** Forgets an empty cell. Its number may be used again. */
  remove(cell: number): void {
    const tile = this.#tileOf[cell];
    this.#members[tile * this.#volume + this.#indexOf[cell]] = 0;
    this.#freeCells.push(cell);
    if (--this.#counts[tile] > 0) return;
    this.#table.remove(tile);
    this.#freeTiles.push(tile);
  }

  /**
   * Finds the cells, but its own, that may have neighbours of a point.
   *
   * @returns     their number; they are in `near`
   * @complexity  O(1): at most 2, 24, 124 and 848 cells in 1 to 4 dimensions; 2, 4, 27 and 256 look-ups
   */
  collectNear(coords: Float64Array, at: number): number {
    const {dim, invSide} = this.geometry;
    const reach = this.#reach;
    this.#setBase(coords, at);
    for (let d = 0; d < dim; d++) {
      const inside = coords[at + d] * invSide - this.#base[d];
      for (let k = -reach; k <= reach; k++) {
        this.#setGap(d, k, k > 0 ? k - inside : k < 0 ? inside - k - 1 : 0);
      }
    }
    return this.#collect();
  }

  /** Finds the other cells that may have neighbours of points of a cell; as `collectNear`. */
  collectAround(cell: number): number {
    const {dim} = this.geometry;
    for (let d = 0; d < dim; d++) {
      this.#base[d] = this.#keyOf(cell, d);
      for (let k = -this.#reach; k <= this.#reach; k++) this.#setGap(d, k, Math.abs(k) - 1);
    }
    return this.#collect();
  }

  /** Writes the lower corner of a cell, in sides. */
  corner(cell: number, corner: Float64Array): void {
    for (let d = 0; d < corner.length; d++) corner[d] = this.#keyOf(cell, d);
  }

  #keyOf(cell: number, d: number): number {
    const {dim} = this.geometry;
    return this.#places[this.#tileOf[cell] * dim + d] * this.#side + this.#inTile[this.#indexOf[cell] * dim + d];
  }

  #setBase(coords: Float64Array, at: number): void {
    const {dim, invSide} = this.geometry;
    for (let d = 0; d < dim; d++) this.#base[d] = Math.floor(coords[at + d] * invSide);
  }

  #setGap(d: number, offset: number, distance: number): void {
    const gap = Math.max(0, distance - GAP_ERROR);
    this.#gaps[d * (2 * this.#reach + 1) + offset + this.#reach] = gap * gap;
  }

  /** Visits the tiles around the base. */
  #collect(): number {
    const {dim} = this.geometry;
    const [low, tile, base] = [this.#low, this.#tile, this.#base];
    for (let d = 0; d < dim; d++) low[d] = tile[d] = Math.floor((base[d] - this.#reach) / this.#side);
    let found = 0;
    for (;;) {
      const number = this.#findTile();
      if (number >= 0) found = this.#collectIn(number, found);
      let d = 0;
      for (; d < dim; d++) {
        if (++tile[d] * this.#side <= base[d] + this.#reach) break;
        tile[d] = low[d];
      }
      if (d === dim) return found;
    }
  }

  #collectIn(tile: number, count: number): number {
    const {dim, limitInSides} = this.geometry;
    const members = this.#members;
    const inTile = this.#inTile;
    const gaps = this.#gaps;
    const reach = this.#reach;
    const width = 2 * reach + 1;
    const volume = this.#volume;
    for (let d = 0; d < dim; d++) this.#shift[d] = this.#tile[d] * this.#side - this.#base[d] + reach;
    const shift = this.#shift;
    let found = count;
    for (let index = 0, at = tile * volume; index < volume; index++, at++) {
      if (members[at] === 0) continue;
      let gap = 0;
      let isOwn = true;
      for (let d = 0; d < dim; d++) {
        const offset = shift[d] + inTile[index * dim + d];
        if (offset !== reach) isOwn = false;
        gap += offset >= 0 && offset < width ? gaps[d * width + offset] : Infinity;
      }
      if (gap <= limitInSides && !isOwn) this.near[found++] = members[at] - 1;
    }
    return found;
  }

  #findTile(): number {
    const {dim} = this.geometry;
    const {entries, mask} = this.#table;
    for (let k = hashOf(this.#tile, 0, dim) & mask; entries[k] !== 0; k = (k + 1) & mask) {
      const tile = entries[k] - 1;
      let d = 0;
      while (d < dim && this.#places[tile * dim + d] === this.#tile[d]) d++;
      if (d === dim) return tile;
    }
    return -1;
  }

  #addTile(): number {
    const {dim} = this.geometry;
    const tile = this.#freeTiles.pop() ?? this.#tileEnd++;
    this.#places = withRoom(this.#places, this.#tileEnd * dim);
    this.#members = withRoom(this.#members, this.#tileEnd * this.#volume);
    this.#counts = withRoom(this.#counts, this.#tileEnd);
    for (let d = 0; d < dim; d++) this.#places[tile * dim + d] = this.#tile[d];
    this.#table.add(tile);
    return tile;
  }
}

function hashOf(key: Float64Array, at: number, dim: number): number {
  let sum = 0;
  for (let d = 0; d < dim; d++) sum = (sum + Math.imul(key[at + d], PRIMES[d])) | 0;
  return mix(sum);
}
