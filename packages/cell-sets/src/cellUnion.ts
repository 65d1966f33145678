import {CorePairSearch} from './corePair.ts';
import {isBall, type SearchSpace} from './forest.ts';
import {endOfPiece, LARGE_CELL, WHOLE_CELL, WHOLE_PIECE, type Pieces} from './pieces.ts';
import {PointUnion, type Unite} from './pointUnion.ts';

/** Whether two core points are known to be in one set. */
export type AreUnited = (a: number, b: number) => boolean;

/** Up to this many pairs one side is tested against the other, point by point. */
const FEW_PAIRS = 4096;

/** With more pairs, points tested before `CorePairSearch`. In cells that touch, one of a few mostly has a neighbour. */
const FEW_POINTS = 16;

/**
 * Unites the core points of two cells.
 *
 * A piece is *whole* if its core points are in one set, as in any cell whose points are all neighbours. Between a
 * whole piece and a point, or another whole piece, one pair of neighbours suffices. No pair is searched for if the two
 * are already in one set.
 */
export class CellUnion {
  readonly #isCore: Uint8Array;
  readonly #areCellsWhole: boolean;
  /** Absent where neighbourhoods are not balls: then all pairs are tested. */
  readonly #pairs: CorePairSearch | undefined;
  readonly #unite: Unite;
  readonly #pieces: Pieces;
  readonly #points: PointUnion;
  readonly #areUnited: AreUnited;
  /** By first position of a cell: whether its pieces are in one set, or will be after their owner unites them. */
  readonly #joined = new Map<number, boolean>();

  constructor(space: SearchSpace, pieces: Pieces, unite: Unite, areUnited: AreUnited) {
    this.#isCore = space.forest.isCore;
    this.#areCellsWhole = space.index.reach > 1;
    this.#pairs = isBall(space) ? new CorePairSearch(space.index, space.forest.isCore, space) : undefined;
    this.#unite = unite;
    this.#pieces = pieces;
    this.#points = new PointUnion(space, unite);
    this.#areUnited = areUnited;
  }

  /** Unites the pieces of a large cell, [start, end), and stores whether the cell is whole then. */
  joinPieces(start: number, end: number): void {
    if (this.#pieces.state[start] === WHOLE_CELL || endOfPiece(this.#pieces, start, end) === end) return;
    if (this.#areCellsWhole) {
      this.#joinWhole(start, end);
      return;
    }
    this.#joined.set(start, false);
    for (let piece = start; piece < end;) {
      const pieceEnd = this.#endOf(piece, start, end);
      for (let other = start; other < piece;) {
        const otherEnd = this.#endOf(other, start, end);
        this.#unitePieces(piece, pieceEnd, other, otherEnd);
        other = otherEnd;
      }
      piece = pieceEnd;
    }
    this.#joined.set(start, this.#areJoined(start, end));
  }

  #joinWhole(start: number, end: number): void {
    const core = this.#firstCore(start, end);
    for (let piece = start; piece < end;) {
      const pieceEnd = endOfPiece(this.#pieces, piece, end);
      const other = this.#firstCore(Math.max(piece, core + 1), pieceEnd);
      if (other < pieceEnd) this.#unite(core, other);
      piece = pieceEnd;
    }
  }

  /** Unites the points of two cells, [start, end) and [from, to), piece by piece if a cell is not whole. */
  uniteCells(start: number, end: number, from: number, to: number): void {
    for (let piece = start; piece < end;) {
      const pieceEnd = this.#endOf(piece, start, end);
      for (let other = from; other < to;) {
        const otherEnd = this.#endOf(other, from, to);
        this.#unitePieces(piece, pieceEnd, other, otherEnd);
        other = otherEnd;
      }
      piece = pieceEnd;
    }
  }

  #unitePieces(start: number, end: number, from: number, to: number): void {
    const isWhole = this.#isWhole(start, end);
    const isOtherWhole = this.#isWhole(from, to);
    if (isWhole && isOtherWhole) this.#uniteWhole(start, end, from, to);
    else if (isWhole) this.#uniteWithWhole(from, to, start, end);
    else if (isOtherWhole) this.#uniteWithWhole(start, end, from, to);
    else for (let position = start; position < end; position++) this.#points.uniteWithAll(position, from, to);
  }

  /** Whether all core points of a cell are in one set. Checks one core point of each whole piece. */
  #areJoined(start: number, end: number): boolean {
    const isCore = this.#isCore;
    const core = this.#firstCore(start, end);
    for (let piece = start; piece < end;) {
      const pieceEnd = this.#endOf(piece, start, end);
      const isWhole = this.#isWhole(piece, pieceEnd);
      for (let position = piece; position < pieceEnd; position++) {
        if (isCore[position] === 0) continue;
        if (!this.#areUnited(core, position)) return false;
        if (isWhole) break;
      }
      piece = pieceEnd;
    }
    return true;
  }

  /** End of the part of a cell, [start, end), to treat at once: the cell if it is in one set, otherwise the piece. */
  #endOf(piece: number, start: number, end: number): number {
    if (this.#areCellsWhole || end - start < LARGE_CELL || this.#pieces.state[start] === WHOLE_CELL) return end;
    const pieceEnd = endOfPiece(this.#pieces, piece, end);
    return (piece === start && pieceEnd === end) || this.#isJoined(start, end) ? end : pieceEnd;
  }

  /** Whether a piece or cell is whole. Small ones never count as whole. */
  #isWhole(start: number, end: number): boolean {
    if (this.#areCellsWhole) return true;
    if (end - start < LARGE_CELL) return false;
    return this.#pieces.state[start] >= WHOLE_PIECE || this.#joined.get(start) === true;
  }

  /** Whether the pieces of a cell are in one set. For a cell of another part: whether they certainly will be. */
  #isJoined(start: number, end: number): boolean {
    let isJoined = this.#joined.get(start);
    if (isJoined === undefined) {
      isJoined = this.#willMeet(start, end);
      this.#joined.set(start, isJoined);
    }
    return isJoined;
  }

  /** Whether each piece of a cell has a neighbour in earlier ones. Tests one core point of a whole piece, else all. */
  #willMeet(start: number, end: number): boolean {
    const isCore = this.#isCore;
    const first = this.#firstCore(start, end);
    for (let piece = start; piece < end;) {
      const pieceEnd = endOfPiece(this.#pieces, piece, end);
      const isWhole = this.#isWhole(piece, pieceEnd);
      if (!isWhole && pieceEnd - piece >= LARGE_CELL) return false;
      for (let position = Math.max(piece, first + 1); position < pieceEnd; position++) {
        if (isCore[position] === 0) continue;
        if (isWhole && piece <= first) break;
        if (this.#points.ball.firstCore(position, first, position, isCore) < 0) return false;
        if (isWhole) break;
      }
      piece = pieceEnd;
    }
    return true;
  }

  #uniteWhole(start: number, end: number, from: number, to: number): void {
    const core = this.#firstCore(start, end);
    const otherCore = this.#firstCore(from, to);
    if (core === end || otherCore === to || this.#areUnited(core, otherCore)) return;
    const pairs = (end - core) * (to - otherCore) > FEW_PAIRS ? this.#pairs : undefined;
    let left = pairs === undefined ? end - core : FEW_POINTS;
    for (let position = core; position < end; position++) {
      if (this.#isCore[position] === 0) continue;
      if (pairs !== undefined && left-- === 0) {
        const pair = pairs.find(position, end, otherCore, to);
        if (pair !== undefined) this.#unite(pair.a, pair.b);
        return;
      }
      if (this.#points.uniteWithFirst(position, otherCore, to)) return;
    }
  }

  /** Unites the points of a piece with a whole one, [from, to): one neighbour for each point suffices. */
  #uniteWithWhole(start: number, end: number, from: number, to: number): void {
    const core = this.#firstCore(from, to);
    if (core === to) return;
    for (let position = start; position < end; position++) {
      if (this.#isCore[position] === 0 || this.#areUnited(position, core)) continue;
      this.#points.uniteWithFirst(position, core, to);
    }
  }

  /** The first core point in [start, end), or `end`. */
  #firstCore(start: number, end: number): number {
    let position = start;
    while (position < end && this.#isCore[position] === 0) position++;
    return position;
  }
}
