// The state of each point in one word (pointState of the paper): in the low 27 bits the identity of the chain that has
// claimed it, above them flags. So a claim is one compare-and-swap. An identity is the position of the first core point
// of a chain. Takes binding 77 of group 0.

const CORE: u32 = 0x80000000u;
// A core point of another identity has met it before it was known to be core. Never cleared.
const MET: u32 = 0x40000000u;
// The same in an even or odd round, without a note in a list of meetings.
const MET_EVEN: u32 = 0x20000000u;
const MET_ODD: u32 = 0x10000000u;
// Claimed, or core and due for a second pass, but on no seed list: the refill kernel finds it.
const SET_ASIDE: u32 = 0x08000000u;
const IDENTITY: u32 = 0x07ffffffu;
const UNPROCESSED: u32 = 0x07ffffffu;

// By position: its state. From word `run.n` on the words of identities.wgsl. One buffer, because a device need not bind
// more than eight storage buffers a kernel.
@group(0) @binding(77) var<storage, read_write> states: array<atomic<u32>>;

fn identityOf(state: u32) -> u32 {
  return state & IDENTITY;
}

fn metIn(round: u32) -> u32 {
  return select(MET_EVEN, MET_ODD, (round & 1u) == 1u);
}

fn wasMet(state: u32) -> bool {
  return (state & MET) != 0u;
}
