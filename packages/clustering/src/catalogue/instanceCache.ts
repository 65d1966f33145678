interface Entry<Instance> {
  readonly creation: Promise<Instance>;
  instance?: Instance;
  /** Set by `drop`: the error that waiting callers get. */
  dropReason?: Error;
}

/**
 * Instances by key, created on demand and owned by the cache. Concurrent calls for one key share one creation. A
 * creation that fails is forgotten, so that the next call tries again.
 */
export class InstanceCache<Instance extends {destroy(): void}> {
  readonly #entries = new Map<string, Entry<Instance>>();
  #closeReason: Error | undefined;

  /**
   * The instance of a key. Throws what `create` throws, or the reason of a `drop` or `close` meanwhile.
   */
  async get(key: string, create: () => Promise<Instance>): Promise<Instance> {
    if (this.#closeReason !== undefined) throw this.#closeReason;
    const existing = this.#entries.get(key);
    if (existing !== undefined) return existing.creation;
    // The creation starts in a later microtask, when `entry` is initialized.
    const entry: Entry<Instance> = {creation: Promise.resolve().then(() => this.#settle(key, entry, create))};
    this.#entries.set(key, entry);
    return entry.creation;
  }

  /** Destroys the instance of a key, once it is created. Calls of `get` that wait for it throw the reason. */
  drop(key: string, reason: Error): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    entry.dropReason = reason;
    entry.instance?.destroy();
  }

  /** Drops all keys and refuses every later `get`, both with the same reason. Safe to call twice. */
  close(reason: Error): void {
    this.#closeReason ??= reason;
    for (const key of this.keys()) this.drop(key, reason);
  }

  keys(): string[] {
    return [...this.#entries.keys()];
  }

  async #settle(key: string, entry: Entry<Instance>, create: () => Promise<Instance>): Promise<Instance> {
    if (entry.dropReason !== undefined) throw entry.dropReason;
    let instance: Instance;
    try {
      instance = await create();
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw entry.dropReason ?? error;
    }
    if (entry.dropReason !== undefined) {
      instance.destroy();
      throw entry.dropReason;
    }
    entry.instance = instance;
    return instance;
  }
}
