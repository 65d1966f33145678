import type {JSX} from 'preact';
import {environment} from './state/session.ts';

export function Facts(): JSX.Element {
  const found = environment.value;
  if (!found) return <footer class="facts quiet">Looking for a GPU…</footer>;
  const {gpu, hasSharedMemory, threads} = found;
  const device = gpu.isAvailable
    ? `WebGPU: ${gpu.text}${gpu.isSoftware ? ', a software adapter, slower than the CPU' : ''}.`
    : `No WebGPU (${gpu.text}): clustering runs on the CPU.`;
  const memory = hasSharedMemory
    ? `Threads: ${threads}, with shared memory.`
    : 'No shared memory between threads (the page is not cross-origin isolated): one thread computes.';
  return (
    <footer class="facts quiet">
      {device} {memory} Your files stay on this machine.
    </footer>
  );
}
