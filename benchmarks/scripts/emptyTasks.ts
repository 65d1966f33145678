/** Does nothing. */
export function nothing(): void {}
