interface TypedArrayClass<View> {
  readonly BYTES_PER_ELEMENT: number;
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

/** Views a part of bytes as coordinates. */
export function viewCoords(
  precision: 'float32' | 'float64',
  bytes: Uint8Array,
  start: number,
  length: number,
): Float32Array | Float64Array {
  return precision === 'float32'
    ? viewAs<Float32Array>(Float32Array, bytes, start, length)
    : viewAs<Float64Array>(Float64Array, bytes, start, length);
}

/** Views a part of bytes as labels: float64 if they are wide, else int32. */
export function viewLabels(
  isWide: boolean,
  bytes: Uint8Array,
  start: number,
  length: number,
): Int32Array | Float64Array {
  return isWide
    ? viewAs<Float64Array>(Float64Array, bytes, start, length)
    : viewAs<Int32Array>(Int32Array, bytes, start, length);
}

/** The next multiple of 8: sections of float64 begin there. */
export function alignTo8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
