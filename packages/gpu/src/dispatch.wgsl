// Unfolds a dispatch that the host or a kernel folded into two or three dimensions (foldDispatch).

const DISPATCH_LIMIT: u32 = 65535u;

// The first parameter of an entry point, beside `@builtin(local_invocation_index) lane: u32`. The lane is not in it,
// because a barrier may depend on uniform values only, and a compiler takes a struct as a whole.
struct Workgroup {
  @builtin(workgroup_id) id: vec3u,
  @builtin(num_workgroups) count: vec3u,
}

fn workgroupNumber(at: Workgroup) -> u32 {
  return (at.id.z * at.count.y + at.id.y) * at.count.x + at.id.x;
}

// Returns indirect arguments for `count` workgroups, at most 65535²: two dimensions suffice. WebGPU skips a dispatch
// with more than 65535 workgroups in one dimension, without an error.
fn foldDispatch(count: u32) -> vec3u {
  if (count <= DISPATCH_LIMIT) { return vec3u(count, 1u, 1u); }
  let rows = (count + DISPATCH_LIMIT - 1u) / DISPATCH_LIMIT;
  return vec3u((count + rows - 1u) / rows, rows, 1u);
}
