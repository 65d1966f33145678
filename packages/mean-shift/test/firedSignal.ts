/** A signal that counts how often it is checked, and has fired from the given check on. */
export function firedAt(look: number): AbortSignal & {readonly looks: number} {
  let looks = 0;
  const {signal} = new AbortController();
  return Object.defineProperties(signal, {
    aborted: {get: () => ++looks >= look},
    looks: {get: () => looks},
  }) as AbortSignal & {readonly looks: number};
}
