import type {Adapter} from '@epsball/benchmarks';
import {GpuUnavailableError} from '@epsball/clustering';
import {listAdapters, type AdapterChoice} from '@epsball/gpu';
import {forcedAdapter} from '@epsball/cli/command';

/**
 * The adapter that a choice opens, as results describe it.
 *
 * @throws GpuUnavailableError  if there is no adapter
 */
export async function adapterOf(choice: AdapterChoice): Promise<Adapter> {
  const reports = await listAdapters(choice);
  const info = reports.find(({chosen}) => chosen)?.info;
  if (info === undefined || info === null) {
    const forced = forcedAdapter(choice);
    const wished = forced === null ? 'no' : `no ${forced.choice}`;
    const reasons = reports.flatMap(({kind, error}) => (error === null ? [] : [`${kind}: ${error}`]));
    throw new GpuUnavailableError(`${wished} WebGPU adapter (${reasons.join('; ')})`);
  }
  const {kind, vendor, architecture, device, description, subgroupMinSize, subgroupMaxSize} = info;
  return {
    name: readableName(device === '' ? description : device),
    kind,
    vendor,
    architecture,
    description,
    subgroupMinSize,
    subgroupMaxSize,
  };
}

/** `nvidia-h200` → `NVIDIA H200`, `llvmpipe-llvm-15-0-6-256-bits-` → `llvmpipe`. */
function readableName(slug: string): string {
  if (slug.startsWith('llvmpipe')) return 'llvmpipe';
  if (slug.startsWith('swiftshader')) return 'SwiftShader';
  const words = slug.split(/[-\s]+/).filter((word) => word !== '');
  return words.map((word) => (/\d|^(nvidia|amd|rtx|gtx|rx)$/i.test(word) ? word.toUpperCase() : word)).join(' ');
}
