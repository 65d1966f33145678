// An entry of its own: a command names the choices before it loads a GPU.

/** Source of an adapter: a GPU, the software Vulkan of the system (lavapipe), or the bundled SwiftShader. */
export type AdapterKind = 'hardware' | 'system-software' | 'bundled';

export const ADAPTER_CHOICES = ['auto', 'hardware', 'software', 'system-software', 'bundled'] as const;
/** `auto`: the first available of hardware, system software, bundled. `software`: the same without hardware. */
export type AdapterChoice = (typeof ADAPTER_CHOICES)[number];

/** Environment variable that replaces the choice `auto` in Node. */
export const ADAPTER_VARIABLE = 'EPSBALL_ADAPTER';
