/**
 * The yardstick: a device copy of 16 bytes an invocation. Written by hand, because `pnpm generate` reads packages only.
 */
export const copyKernel = {
  label: 'bench/copy',
  code: `
@group(0) @binding(0) var<storage, read> source: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> destination: array<vec4u>;

@compute @workgroup_size(256)
fn copyQuads(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = ((group.z * groups.y + group.y) * groups.x + group.x) * 256u + lane;
  if (i < arrayLength(&source)) { destination[i] = source[i]; }
}

// Something to copy: every word its own index.
@compute @workgroup_size(256)
fn writePositions(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = ((group.z * groups.y + group.y) * groups.x + group.x) * 256u + lane;
  if (i < arrayLength(&destination)) { destination[i] = 4u * i + vec4u(0u, 1u, 2u, 3u); }
}
`,
  overrides: [],
  bindings: {
    source: {group: 0, binding: 0, type: 'read-only-storage'},
    destination: {group: 0, binding: 1, type: 'storage'},
  },
  entryPoints: {copyQuads: ['source', 'destination'], writePositions: ['destination']},
  structs: {},
} as const;
