// The number of elements that an operation takes. A count known to the host is a word of the parameters, which the host
// also binds as `deviceCount`. A count written by a kernel lies in the buffer that the host binds. Either way the
// operation reads one word and limits it to `atMost`, for which the host dispatched. Uses binding 40 of group 0.

@group(0) @binding(40) var<storage, read> deviceCount: array<u32>;

fn elementCount(atMost: u32, countWord: u32) -> u32 {
  return min(deviceCount[countWord], atMost);
}
