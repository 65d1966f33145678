/** Source of an adapter: a GPU, the software Vulkan of the system (lavapipe), or the bundled SwiftShader. */
export type AdapterKind = 'hardware' | 'system-software' | 'bundled';

/** Environment variable that replaces the choice `auto` in Node. */
export const ADAPTER_VARIABLE = 'EPSBALL_ADAPTER';
