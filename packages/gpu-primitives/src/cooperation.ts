import type {Gpu} from '@epsball/gpu';

/** How invocations cooperate: `subgroups`; `workgroups`, with barriers; `none`, one invocation per share. */
export type Cooperation = 'subgroups' | 'workgroups' | 'none';

export type Teamwork = Exclude<Cooperation, 'subgroups'>;

/** Whether the adapter is a CPU. SwiftShader runs a kernel with a barrier 30 times slower than one without. */
export function worksBestAlone(gpu: Gpu): boolean {
  return gpu.speed === 'software';
}
