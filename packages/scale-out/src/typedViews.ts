interface TypedArrayClass<View> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): View;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): View;
}

/** Views a part of bytes as numbers of the machine's byte order. Copies only what is not aligned. */
export function viewAs<View>(type: TypedArrayClass<View>, bytes: Uint8Array, start: number, length: number): View {
  const offset = bytes.byteOffset + start;
  if (offset % type.BYTES_PER_ELEMENT === 0) return new type(bytes.buffer, offset, length);
  // `slice` of a Buffer is a view.
  const copy = Uint8Array.prototype.slice.call(bytes, start, start + length * type.BYTES_PER_ELEMENT);
  return new type(copy.buffer, copy.byteOffset, length);
}

/** The class of coordinates. */
export function coordsOf(precision: 'float32' | 'float64'): TypedArrayClass<Float32Array | Float64Array> {
  return precision === 'float32' ? Float32Array : Float64Array;
}

/** The class of labels: float64 if they are wide, else int32. */
export function labelsOf(isWide: boolean): TypedArrayClass<Int32Array | Float64Array> {
  return isWide ? Float64Array : Int32Array;
}

/** The next multiple of 8: sections of float64 begin there. */
export function alignTo8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
