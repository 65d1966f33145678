const UTF8 = new TextDecoder();

export interface FlatItems {
  readonly at: number;
  readonly length: number;
}

/**
 * A table of a FlatBuffers buffer. Fields are read by their slot in the schema. Each read is checked against the bounds
 * of the view, and none follows an offset in a loop: damaged bytes end in a `RangeError`.
 *
 * @source FlatBuffers internals: tables, vtables and vectors
 */
export class FlatTable {
  readonly view: DataView;
  readonly #at: number;

  constructor(view: DataView, at: number) {
    this.view = view;
    this.#at = at;
  }

  /** The root table, whose offset is the first word at `start`. */
  static root(view: DataView, start = 0): FlatTable {
    return new FlatTable(view, start + view.getUint32(start, true));
  }

  uint8(slot: number): number {
    const at = this.#field(slot);
    return at === 0 ? 0 : this.view.getUint8(at);
  }

  int16(slot: number): number {
    const at = this.#field(slot);
    return at === 0 ? 0 : this.view.getInt16(at, true);
  }

  int32(slot: number): number {
    const at = this.#field(slot);
    return at === 0 ? 0 : this.view.getInt32(at, true);
  }

  /** A 64-bit count or offset. */
  count(slot: number): number {
    const at = this.#field(slot);
    return at === 0 ? 0 : countAt(this.view, at);
  }

  /** Undefined if the field is absent. */
  table(slot: number): FlatTable | undefined {
    const at = this.#target(slot);
    return at === 0 ? undefined : new FlatTable(this.view, at);
  }

  /** Empty if the field is absent. */
  text(slot: number): string {
    const {at, length} = this.items(slot, 1);
    return UTF8.decode(new Uint8Array(this.view.buffer, this.view.byteOffset + at, length));
  }

  /** The items of a vector; none if the field is absent. */
  items(slot: number, itemBytes: number): FlatItems {
    const at = this.#target(slot);
    if (at === 0) return {at: 0, length: 0};
    const length = this.view.getUint32(at, true);
    if (at + 4 + length * itemBytes > this.view.byteLength) throw new RangeError(`${length} items at byte ${at}`);
    return {at: at + 4, length};
  }

  tables(slot: number): FlatTable[] {
    const {at, length} = this.items(slot, 4);
    return Array.from({length}, (_, k) => FlatTable.root(this.view, at + 4 * k));
  }

  /** Byte of a field; 0 if it is absent. */
  #field(slot: number): number {
    const vtable = this.#at - this.view.getInt32(this.#at, true);
    const entry = 4 + 2 * slot;
    if (entry + 2 > this.view.getUint16(vtable, true)) return 0;
    const offset = this.view.getUint16(vtable + entry, true);
    return offset === 0 ? 0 : this.#at + offset;
  }

  /** Byte that the offset in a field leads to; 0 if the field is absent. */
  #target(slot: number): number {
    const at = this.#field(slot);
    return at === 0 ? 0 : at + this.view.getUint32(at, true);
  }
}

/** A 64-bit count or offset at a byte. */
export function countAt(view: DataView, at: number): number {
  const value = Number(view.getBigInt64(at, true));
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`count ${value} at byte ${at}`);
  return value;
}
