/** Holds resources until `destroy()`, or to the end of a `using` declaration. */
export abstract class Owner implements Disposable {
  readonly #owned: {destroy(): void}[] = [];

  /** Destroys a resource with this object. Returns the resource. */
  protected own<Resource extends {destroy(): void}>(resource: Resource): Resource {
    this.#owned.push(resource);
    return resource;
  }

  /** Frees the resources; safe to call twice. */
  destroy(): void {
    for (const owned of this.#owned) owned.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
