// One round of a loop: counts to `last`, then sets `isDone`.

struct LoopState {
  isDone: u32,
  count: u32,
  last: u32,
}

@group(0) @binding(0) var<storage, read_write> state: LoopState;

@compute @workgroup_size(1)
fn countRound() {
  if state.isDone == 1u || state.last == 0u { return; }
  state.count++;
  if state.count == state.last { state.isDone = 1u; }
}
