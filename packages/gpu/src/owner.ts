/** Holds resources until `destroy()`, or to the end of a `using` declaration. */
export abstract class Owner implements Disposable {
  /** Frees the resources; safe to call twice. */
  abstract destroy(): void;

  [Symbol.dispose](): void {
    this.destroy();
  }
}
