// How many elements an operation takes. The host writes a number into the parameters and binds these as `deviceCount`
// too; or a kernel wrote it, and the host binds that buffer. Either way it is one word, and never more than the host
// dispatched for. Takes binding 40 of group 0.

@group(0) @binding(40) var<storage, read> deviceCount: array<u32>;

fn elementCount(atMost: u32, countWord: u32) -> u32 {
  return min(deviceCount[countWord], atMost);
}
