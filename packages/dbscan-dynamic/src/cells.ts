import {withRoom} from './arrays.ts';
import {BLOCK_LENGTHS, Blocks} from './blocks.ts';
import {GAP_ERROR, type CellGeometry} from './cellGeometry.ts';
import {HashTable, mix} from './hashTable.ts';

/** Odd numbers for the axes. */
const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f];

/** Cells of a tile on an axis, by dimension: a look-up finds up to 16 cells. */
const TILE_SIDES = [8, 4, 2, 2];

/** By number of cells of a tile: the kind of their block. */
const KINDS = Uint8Array.from({length: 17}, (_, count) => BLOCK_LENGTHS.findIndex((length) => length >= count));

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
  /** By tile: its place in tiles, dim numbers; a bit for each index that is taken; the block of its cells. */
  #places: Float64Array = new Float64Array(0);
  #taken: Int32Array = new Int32Array(0);
  #start: Int32Array = new Int32Array(0);
  /** By position in blocks: cells by ascending index. */
  #members: Int32Array = new Int32Array(0);
  readonly #blocks = new Blocks();
  /** By tile: in 3-D a bit for each of the 27 tiles around it that is there, else all bits. */
  #around: Int32Array = new Int32Array(0);
  /** By cell: its tile, and its index there. */
  #tileOf: Int32Array = new Int32Array(0);
  #indexOf: Uint8Array = new Uint8Array(0);
  #tileEnd = 0;
  readonly #table: HashTable;
  /** By index in a tile: dim coordinates. */
  readonly #inTile: Int32Array;
  readonly #reach: number;
  /** By axis and place in the tiles of a search: squared gap to cells there, in sides; Infinity out of reach. */
  readonly #gaps: Float64Array;
  /** Places of a search on an axis, at most. */
  readonly #width: number;
  /** By axis: the first tile of a search, the tile that is looked at, its place, and the smallest gap in it. */
  readonly #low: Float64Array;
  readonly #tile: Float64Array;
  readonly #shift: Int32Array;
  readonly #tileGaps: Float64Array;
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
    this.#width = (Math.ceil((2 * reachInCells) / this.#side) + 1) * this.#side;
    this.#gaps = new Float64Array(dim * this.#width);
    this.#low = new Float64Array(dim);
    this.#tile = new Float64Array(dim);
    this.#shift = new Int32Array(dim);
    this.#tileGaps = new Float64Array(dim);
    this.#table = new HashTable((tile) => hashOf(this.#places, tile * dim, dim));
  }

  /** The cell of the point at `coords[at]`, made if there is none. */
  cellOf(coords: Float64Array, at: number): number {
    const {dim, invSide} = this.geometry;
    let index = 0;
    for (let d = dim - 1; d >= 0; d--) {
      const key = Math.floor(coords[at + d] * invSide);
      this.#tile[d] = Math.floor(key / this.#side);
      index = index * this.#side + key - this.#tile[d] * this.#side;
    }
    const found = this.#findTile();
    const tile = found >= 0 ? found : this.#addTile();
    if (((this.#taken[tile] >> index) & 1) === 1) return this.#members[this.#start[tile] + this.#rank(tile, index)];
    const cell = this.#freeCells.pop() ?? this.end++;
    this.#tileOf = withRoom(this.#tileOf, this.end);
    this.#indexOf = withRoom(this.#indexOf, this.end);
    this.#tileOf[cell] = tile;
    this.#indexOf[cell] = index;
    this.#toggle(tile, index);
    this.#members[this.#start[tile] + this.#rank(tile, index)] = cell;
    return cell;
  }

  /** Forgets an empty cell. Its number may be used again. */
  remove(cell: number): void {
    const tile = this.#tileOf[cell];
    this.#toggle(tile, this.#indexOf[cell]);
    this.#freeCells.push(cell);
    if (this.#taken[tile] !== 0) return;
    this.#tellAround(tile);
    this.#table.remove(tile);
    this.#freeTiles.push(tile);
  }

  /**
   * Finds the cells that may have neighbours of a point of a cell, without the cell.
   *
   * @returns     their number; they are in `near`
   * @complexity  O(1): at most 2, 24, 124 and 848 cells in 1 to 4 dimensions; 2, 4, 27 and 256 look-ups
   */
  collectNear(cell: number, coords: Float64Array, at: number): number {
    const {dim, invSide} = this.geometry;
    for (let d = 0; d < dim; d++) {
      const key = this.#keyOf(cell, d);
      const inside = coords[at + d] * invSide - key;
      this.#setGaps(d, key, inside, 1 - inside);
    }
    return this.#collect(cell);
  }

  /** Finds the other cells that may have neighbours of points of a cell; as `collectNear`. */
  collectAround(cell: number): number {
    for (let d = 0; d < this.geometry.dim; d++) this.#setGaps(d, this.#keyOf(cell, d), 0, 0);
    return this.#collect(cell);
  }

  /** Writes the lower corner of a cell, in sides. */
  corner(cell: number, corner: Float64Array): void {
    for (let d = 0; d < corner.length; d++) corner[d] = this.#keyOf(cell, d);
  }

  #keyOf(cell: number, d: number): number {
    const {dim} = this.geometry;
    return this.#places[this.#tileOf[cell] * dim + d] * this.#side + this.#inTile[this.#indexOf[cell] * dim + d];
  }

  /** Sets the gaps on an axis, from what lies `below` and `above` the nearest borders of a cell. */
  #setGaps(d: number, key: number, below: number, above: number): void {
    const [reach, side, first] = [this.#reach, this.#side, d * this.#width];
    this.#low[d] = Math.floor((key - reach) / side);
    const own = first + key - this.#low[d] * side;
    for (let k = first; k < first + this.#width; k++) {
      const away = Math.abs(k - own);
      const gap = Math.max(0, (k < own ? below : above) + away - 1 - GAP_ERROR);
      this.#gaps[k] = away === 0 ? 0 : away > reach ? Infinity : gap * gap;
    }
  }

  /** Visits the tiles around that of a cell. */
  #collect(cell: number): number {
    const {dim, limitInSides} = this.geometry;
    const [low, tile, places] = [this.#low, this.#tile, this.#places];
    const own = this.#tileOf[cell];
    const around = this.#around[own];
    for (let d = 0; d < dim; d++) this.#toTile(d, low[d]);
    let found = 0;
    for (;;) {
      let gap = 0;
      let code = 0;
      for (let d = dim - 1; d >= 0; d--) {
        gap += this.#tileGaps[d];
        code = 3 * code + tile[d] - places[own * dim + d] + 1;
      }
      if (((around >> code) & 1) === 1 && gap <= limitInSides) {
        const number = this.#findTile();
        const without = number === own ? this.#indexOf[cell] : -1;
        if (number >= 0) found = this.#collectIn(number, without, found);
      }
      let d = 0;
      for (; d < dim; d++) {
        if (this.#toTile(d, tile[d] + 1)) break;
        this.#toTile(d, low[d]);
      }
      if (d === dim) return found;
    }
  }

  /** Goes to a tile on an axis. Tells whether it is within reach. */
  #toTile(d: number, tile: number): boolean {
    const place = (tile - this.#low[d]) * this.#side;
    if (place >= this.#width) return false;
    this.#tile[d] = tile;
    this.#shift[d] = d * this.#width + place;
    let smallest = Infinity;
    for (let k = place; k < place + this.#side; k++) {
      const gap = this.#gaps[d * this.#width + k];
      if (gap < smallest) smallest = gap;
    }
    this.#tileGaps[d] = smallest;
    return smallest < Infinity;
  }

  #collectIn(tile: number, without: number, count: number): number {
    const {dim, limitInSides} = this.geometry;
    const [inTile, gaps, shift] = [this.#inTile, this.#gaps, this.#shift];
    let found = count;
    let at = this.#start[tile];
    for (let left = this.#taken[tile]; left !== 0; left &= left - 1, at++) {
      const index = 31 - Math.clz32(left & -left);
      let gap = 0;
      for (let d = 0; d < dim; d++) gap += gaps[shift[d] + inTile[index * dim + d]];
      if (gap <= limitInSides && index !== without) this.near[found++] = this.#members[at];
    }
    return found;
  }

  /** Number of cells of a tile with a smaller index. */
  #rank(tile: number, index: number): number {
    let count = 0;
    for (let left = this.#taken[tile] & ((1 << index) - 1); left !== 0; left &= left - 1) count++;
    return count;
  }

  /** Makes room for a cell of a tile, or takes it out. */
  #toggle(tile: number, index: number): void {
    const from = this.#start[tile];
    const count = this.#rank(tile, this.#volume);
    const at = this.#rank(tile, index);
    this.#taken[tile] ^= 1 << index;
    const by = ((this.#taken[tile] >> index) & 1) === 1 ? 1 : -1;
    const [kind, next] = [KINDS[count], KINDS[count + by]];
    const isSame = count > 0 && kind === next;
    const to = isSame || count + by === 0 ? from : this.#blocks.take(next);
    this.#members = withRoom(this.#members, this.#blocks.end);
    const behind = at + (by < 0 ? 1 : 0);
    if (!isSame) this.#members.copyWithin(to, from, from + at);
    this.#members.copyWithin(to + behind + by, from + behind, from + count);
    this.#start[tile] = to;
    if (!isSame && count > 0) this.#blocks.give(from, kind);
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
    this.#taken = withRoom(this.#taken, this.#tileEnd);
    this.#start = withRoom(this.#start, this.#tileEnd);
    this.#around = withRoom(this.#around, this.#tileEnd);
    for (let d = 0; d < dim; d++) this.#places[tile * dim + d] = this.#tile[d];
    this.#table.add(tile);
    this.#around[tile] = dim === 3 ? 0 : -1;
    this.#tellAround(tile);
    return tile;
  }

  /** Toggles the bit of a tile in each tile around it, and sets their bits in its own. */
  #tellAround(tile: number): void {
    const {dim} = this.geometry;
    // Points of a surface, such as the earth, have few of the 27 tiles around them. A search in 2-D needs four tiles,
    // and around one in 4-D there are more than bits.
    const count = dim === 3 ? 27 : 0;
    for (let code = 0; code < count; code++) {
      for (let d = 0, rest = code; d < dim; d++, rest = Math.floor(rest / 3)) {
        this.#tile[d] = this.#places[tile * dim + d] + (rest % 3) - 1;
      }
      const other = this.#findTile();
      if (other < 0) continue;
      this.#around[other] ^= 1 << (count - 1 - code);
      this.#around[tile] |= 1 << code;
    }
  }
}

function hashOf(key: Float64Array, at: number, dim: number): number {
  let sum = 0;
  for (let d = 0; d < dim; d++) sum = (sum + Math.imul(key[at + d], PRIMES[d])) | 0;
  return mix(sum);
}
