/** Files of a run, by path below the store's root. All methods may be called from several processes at once. */
export interface Store {
  /** Where the store is, without credentials: what `openStore` takes. */
  readonly url: string;
  /** Whole file, or undefined if there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Bytes of a file, or undefined if there is none. */
  size(path: string): Promise<number | undefined>;
  /**
   * The bytes [start, end) of a file.
   *
   * @throws StoreError  if the file is missing or shorter
   */
  readRange(path: string, start: number, end: number): Promise<Uint8Array>;
  /** Writes a file that no reader sees before it is complete. Replaces an older one. */
  write(path: string, parts: readonly Uint8Array[]): Promise<void>;
  /** Names directly below a folder; none if there is no such folder. */
  list(folder: string): Promise<string[]>;
  /** Removes a folder with everything below it. */
  remove(folder: string): Promise<void>;
}

/** A store that cannot be reached, is full, or has lost a file. */
export class StoreError extends Error {
  readonly code = 'STORE_FAILED';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
  }
}
