import type {Gpu} from '@epsball/gpu';

/**
 * How the invocations of an operation work together: `subgroups`; `workgroups`, through workgroup memory, with barriers; or
 * `none`, each alone on a share of its own.
 */
export type Cooperation = 'subgroups' | 'workgroups' | 'none';

/** Of the operations that have no use for subgroups. */
export type Teamwork = Exclude<Cooperation, 'subgroups'>;

/**
 * Whether invocations had better work alone: on a CPU. SwiftShader takes 30 times as long for a kernel with a barrier as for
 * one without, and both SwiftShader and lavapipe take seconds to compile what they take milliseconds for here.
 */
export function worksBestAlone(gpu: Gpu): boolean {
  return gpu.info.kind !== 'hardware';
}
