// While a GPU works, npm webgpu polls it in each turn of the event loop, with a new function for each `setImmediate`.
// On a software adapter the polling takes the CPU time that the kernels need: half of all that the GPU tests used.
// Tests load this file first; then Dawn polls each millisecond.
const inNextTurn = globalThis.setImmediate;

/** Only native code passes a native function: Dawn's poll. */
function isPoll(callback: (...args: never[]) => void): boolean {
  return Function.prototype.toString.call(callback).includes('[native code]');
}

function setImmediateOrPoll(callback: (...args: unknown[]) => void, ...args: unknown[]): unknown {
  return isPoll(callback) ? setTimeout(callback, 1, ...args) : inNextTurn(callback, ...args);
}

// With what `promisify` looks for.
Object.defineProperties(setImmediateOrPoll, Object.getOwnPropertyDescriptors(inNextTurn));
Object.assign(globalThis, {setImmediate: setImmediateOrPoll});
