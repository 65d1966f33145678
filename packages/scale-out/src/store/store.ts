/** Files of a run, by path below the store's root. All methods may be called from several processes at once. */
export interface Store {
  /** Where the store is, without credentials: what `openStore` takes. */
  readonly url: string;
  /** Whole file, or undefined if there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /**
   * The bytes [start, end) of a file.
   *
   * @throws StoreError  if the file is missing or shorter: then `isMissing` is true
   */
  readRange(path: string, start: number, end: number): Promise<Uint8Array>;
  /** Writes a file that no reader sees before it is complete and on disk. Replaces an older one. */
  write(path: string, parts: readonly Uint8Array[]): Promise<void>;
  /**
   * Writes a file as `write` does, if there is none. Of several callers at the same time, one succeeds.
   *
   * @returns                       whether this call wrote the file
   * @throws InvalidParameterError  if the store cannot write on this condition
   */
  writeNew(path: string, parts: readonly Uint8Array[]): Promise<boolean>;
  /** Names directly below a folder; none if there is no such folder. */
  list(folder: string): Promise<string[]>;
  /** Removes a file, or a folder with everything below it. */
  remove(path: string): Promise<void>;
}

/** A store that cannot be reached, is full, or lacks a file. */
export class StoreError extends Error {
  readonly code: 'STORE_FAILED' | 'FILE_DAMAGED' = 'STORE_FAILED';
  /** Whether the store works, and has no such file, or only its beginning. */
  readonly isMissing: boolean;

  constructor(message: string, {isMissing = false, ...options}: ErrorOptions & {readonly isMissing?: boolean} = {}) {
    super(message, options);
    this.name = 'StoreError';
    this.isMissing = isMissing;
  }
}

/** A file of a run is missing, cut off or damaged. Its task counts as pending and runs again. */
export class DamagedFileError extends StoreError {
  override readonly code = 'FILE_DAMAGED';

  /** @param damage  reads after the path: `is missing` */
  constructor(path: string, damage: string, options?: ErrorOptions) {
    super(`${path} ${damage}; its task runs again when the run continues`, options);
    this.name = 'DamagedFileError';
  }
}
