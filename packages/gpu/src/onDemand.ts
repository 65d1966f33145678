import {Owner} from './owner.ts';

/**
 * An object on a device that is created when a run first needs it, since its kernels compile for a tenth of a second.
 * Owns the object.
 */
export class OnDemand<Owned extends {destroy(): void}> extends Owner {
  readonly #create: () => Promise<Owned>;
  #coming: Promise<Owned> | undefined;
  #created: Owned | undefined;
  #isDestroyed = false;

  constructor(create: () => Promise<Owned>) {
    super();
    this.#create = create;
  }

  /** The object, if it exists. */
  get created(): Owned | undefined {
    return this.#created;
  }

  /** The object, created at the first call. A failed creation is tried again by the next call. */
  async get(): Promise<Owned> {
    this.#coming ??= this.#begin();
    return this.#coming;
  }

  async #begin(): Promise<Owned> {
    try {
      const created = await this.#create();
      if (this.#isDestroyed) created.destroy();
      return (this.#created = created);
    } catch (error) {
      this.#coming = undefined;
      throw error;
    }
  }

  /** Destroys the object, or what a creation under way will create. */
  override destroy(): void {
    this.#isDestroyed = true;
    this.#created?.destroy();
  }
}
