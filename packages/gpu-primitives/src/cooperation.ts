import type {Gpu} from '@epsball/gpu';

/**
 * How the invocations of an operation cooperate: through `subgroups`; as `workgroups`, through workgroup memory and
 * barriers; or `none`, one invocation per share of the input.
 */
export type Cooperation = 'subgroups' | 'workgroups' | 'none';

/** For operations that do not use subgroups. */
export type Teamwork = Exclude<Cooperation, 'subgroups'>;

/**
 * Whether the adapter is a CPU, where independent invocations are fastest. SwiftShader runs a kernel with a barrier 30
 * times slower than one without. SwiftShader and lavapipe compile kernels with barriers in seconds, the others in
 * milliseconds.
 */
export function worksBestAlone(gpu: Gpu): boolean {
  return gpu.speed === 'software';
}
