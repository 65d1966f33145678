/** An owner of resources. */
interface Destroyable {
  destroy(): void;
}

interface Entry<Instance> {
  readonly creation: Promise<Instance>;
  /** Set when the creation has succeeded. */
  instance?: Instance;
  /** Set by `drop`: the error that waiting callers get. */
  dropReason?: Error;
}

/**
 * Instances by key, created on demand and owned by the cache. Concurrent calls for one key share one creation. A
 * creation that fails is forgotten, so that the next call tries again.
 */
export class InstanceCache<Instance extends Destroyable> {
  readonly #entries = new Map<string, Entry<Instance>>();
  #closeReason: Error | undefined;

  /**
   * The instance of a key.
   *
   * @param create  called where the key has no instance and none is being created
   * @throws what `create` throws; the reason of `drop` or `close`, if called before the creation is complete
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

  /**
   * Destroys the instance of a key. An instance that is still being created is destroyed when it is complete.
   *
   * @param reason  the error of the calls of `get` that wait for the creation
   */
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

  /** Keys that have an instance, or whose instance is being created. */
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
