/** 32-bit elements on the host; 64-bit ones are two words, the low one first. */
export type Words = Uint32Array | Int32Array | Float32Array;
export type Arrays = Readonly<Record<string, Words>>;
