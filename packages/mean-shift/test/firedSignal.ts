/** A signal that has fired from the so-manieth look on, and counts them. */
export function firedAt(look: number): AbortSignal & {readonly looks: number} {
  let looks = 0;
  const {signal} = new AbortController();
  return Object.defineProperties(signal, {
    aborted: {get: () => ++looks >= look},
    looks: {get: () => looks},
  }) as AbortSignal & {readonly looks: number};
}
